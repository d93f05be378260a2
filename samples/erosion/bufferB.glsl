// Ground (x), water (y) and the ground in the water (z), after rain, flow, digging and settling; w is how much water has passed here lately.
vec4 leaves(ivec2 cell)
{
    return all(greaterThanEqual(cell, ivec2(0))) && all(lessThan(cell, textureSize(iChannel0, 0))) ? texelFetch(iChannel0, cell, 0) : vec4(0.0);
}

float ground(ivec2 cell) { return texelFetch(iChannel1, clamp(cell, ivec2(0), textureSize(iChannel1, 0) - 1), 0).x; }

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    ivec2 cell = ivec2(fragCoord), x = ivec2(1, 0), y = ivec2(0, 1);
    if (iFrame == 0)
    {
        fragColor = vec4(iResolution.y * mountains(fragCoord / iResolution.y, iResolution.x / iResolution.y), 0.0, 0.0, 0.0);
        return;
    }
    vec4 state = texelFetch(iChannel1, cell, 0), out4 = leaves(cell);
    float fromLeft = leaves(cell - x).y, fromRight = leaves(cell + x).x, fromBelow = leaves(cell - y).w, fromAbove = leaves(cell + y).z;
    float before = state.y;
    state.y = max(before + fromLeft + fromRight + fromBelow + fromAbove - out4.x - out4.y - out4.z - out4.w, 0.0);
    // How fast the water goes, in pixels a frame.
    vec2 through = 0.5 * vec2(fromLeft - out4.x + out4.y - fromRight, fromBelow - out4.z + out4.w - fromAbove);
    vec2 velocity = clamp(through / (0.5 * (before + state.y) + 0.02), -1.0, 1.0);
    vec2 slope = 0.5 * vec2(ground(cell + x) - ground(cell - x), ground(cell + y) - ground(cell - y));
    float steep = length(slope) / sqrt(1.0 + dot(slope, slope));
    bool isSea = state.x < SEA * iResolution.y;
    float carries = isSea ? 0.0 : CAPACITY * length(velocity) * max(steep, 0.04) * min(8.0 * state.y, 1.0);
    // Water that could carry more digs, water that carries too much lets it settle.
    float moved = carries > state.z ? 0.35 * (carries - state.z) : -0.25 * (state.z - carries);
    state.x -= moved;
    state.z += moved;
    state.y += RAIN * (0.5 + hash(uvec2(cell) + uvec2(977u * uint(iFrame)))) * smoothstep(0.0, 0.25, state.x / iResolution.y);
    state.y *= 1.0 - (isSea ? 0.5 : DRYING);
    state.w = mix(state.w, length(through), 0.03);
    fragColor = state;
}
