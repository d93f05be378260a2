void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec3 color = vec3(uvw, 1.0);
    float d = 1.0 +;
    fragColor = vec4(colour, 1.0);
}
