void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec3 color = palette(uv.x);
    float d = lenght(uv);
    vec2 q = vec3(d);
    fragColor = vec4(colour, 1.0);
}
