// The slopes of 3x - 5y: 3, -5, and the sum of their magnitudes.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float f = 3.0 * fragCoord.x - 5.0 * fragCoord.y;
    fragColor = vec4(dFdx(f) / 8.0, -dFdy(f) / 8.0, fwidth(f) / 16.0, 1.0);
}
