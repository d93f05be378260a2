// How much more water leaves each pixel than enters it (y), and a first guess at the pressure (x): that of the frame before, and one step.
vec2 velocity(ivec2 cell) { return texelFetch(iChannel0, clamp(cell, ivec2(0), textureSize(iChannel0, 0) - 1), 0).xy; }
float pressure(ivec2 cell) { return texelFetch(iChannel1, clamp(cell, ivec2(0), textureSize(iChannel1, 0) - 1), 0).x; }

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    ivec2 cell = ivec2(fragCoord), x = ivec2(1, 0), y = ivec2(0, 1);
    float leaves = 0.5 * (velocity(cell + x).x - velocity(cell - x).x + velocity(cell + y).y - velocity(cell - y).y);
    float sum = 0.0;
    if (iFrame > 0) sum = pressure(cell + x) + pressure(cell - x) + pressure(cell + y) + pressure(cell - y);
    fragColor = vec4(0.25 * (sum - leaves), leaves, 0.0, 1.0);
}
