void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    iTime = 2.0;
    fragColor = vec4(uv, iTime, 1.0);
}
