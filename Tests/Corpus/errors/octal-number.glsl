void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    int n = 08;
    fragColor = vec4(uv, float(n), 1.0);
}
