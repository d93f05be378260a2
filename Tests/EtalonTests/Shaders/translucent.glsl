void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    fragColor = vec4(0.5, 0.25, 1.0, 0.5);
}
