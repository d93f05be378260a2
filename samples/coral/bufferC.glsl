void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    fragColor = vec4(react(iChannel0, ivec2(fragCoord)), 0.0, 1.0);
}
