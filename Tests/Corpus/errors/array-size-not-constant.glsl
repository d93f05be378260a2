void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    int n = 4;
    float w[n];
    w[0] = uv.x;
    fragColor = vec4(w[0]);
}
