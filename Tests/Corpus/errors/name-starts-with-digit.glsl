void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float 2pi = 6.28318;
    fragColor = vec4(uv, 2pi, 1.0);
}
