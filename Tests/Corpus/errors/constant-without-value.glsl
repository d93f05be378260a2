void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    const float d;
    fragColor = vec4(uv, d, 1.0);
}
