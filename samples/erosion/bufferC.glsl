// The ground in the water goes along with it, and ground that is too steep slides to its neighbors.
float ground(ivec2 cell) { return texelFetch(iChannel0, clamp(cell, ivec2(0), textureSize(iChannel0, 0) - 1), 0).x; }

// What slides from a higher neighbor, less what slides to a lower one.
float slides(float here, float there, float apart)
{
    float step = there - here, limit = TALUS * apart;
    return sign(step) * max(abs(step) - limit, 0.0);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    ivec2 cell = ivec2(fragCoord), x = ivec2(1, 0), y = ivec2(0, 1);
    vec4 state = texelFetch(iChannel0, cell, 0);
    vec4 leaves = texelFetch(iChannel1, cell, 0);
    vec2 velocity = clamp(vec2(leaves.y - leaves.x, leaves.w - leaves.z) / (state.y + 0.02), -1.0, 1.0);
    state.z = texture(iChannel2, (fragCoord - velocity) / iResolution.xy).z;
    float sum = slides(state.x, ground(cell + x), 1.0) + slides(state.x, ground(cell - x), 1.0)
              + slides(state.x, ground(cell + y), 1.0) + slides(state.x, ground(cell - y), 1.0)
              + 0.5 * (slides(state.x, ground(cell + x + y), 1.4142) + slides(state.x, ground(cell - x - y), 1.4142)
              + slides(state.x, ground(cell + x - y), 1.4142) + slides(state.x, ground(cell - x + y), 1.4142));
    state.x += 0.08 * sum;
    fragColor = state;
}
