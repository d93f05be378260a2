// The frame's number and time, as colours.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    fragColor = vec4(float(iFrame) / 255.0, floor(iTime * 100.0 + 0.5) / 255.0, 0.0, 1.0);
}
