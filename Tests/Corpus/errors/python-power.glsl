void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float d = uv.x ** 2.0;
    fragColor = vec4(d);
}
