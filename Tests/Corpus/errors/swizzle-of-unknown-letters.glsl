void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float d = uv.length;
    vec2 q = uv.xr;
    fragColor = vec4(d, q, 1.0);
}
