// How much water leaves each pixel to the left, right, down and up in this frame, as through four pipes that widen where it flows downhill.
float level(ivec2 cell)
{
    vec4 state = texelFetch(iChannel1, clamp(cell, ivec2(0), textureSize(iChannel1, 0) - 1), 0);
    return state.x + state.y;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    fragColor = vec4(0.0);
    if (iFrame == 0) return;
    ivec2 cell = ivec2(fragCoord);
    float here = level(cell), water = texelFetch(iChannel1, cell, 0).y;
    vec4 beside = vec4(level(cell - ivec2(1, 0)), level(cell + ivec2(1, 0)), level(cell - ivec2(0, 1)), level(cell + ivec2(0, 1)));
    vec4 leaves = max(0.92 * texelFetch(iChannel0, cell, 0) + 0.12 * (here - beside), 0.0);
    // No more than there is.
    float sum = leaves.x + leaves.y + leaves.z + leaves.w;
    if (sum > water) leaves *= water / sum;
    fragColor = leaves;
}
