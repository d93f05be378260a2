void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float length = 2.0;
    float d = length(uv);
    fragColor = vec4(d);
}
