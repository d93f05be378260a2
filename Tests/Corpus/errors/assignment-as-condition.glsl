void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    int n = 1;
    if (n = 2) {
        uv = vec2(0.0);
    }
    fragColor = vec4(uv, 0.0, 1.0);
}
