void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec2 p = vec3(uv, 1.0);
    fragColor = vec4(p, 0.0, 1.0);
}
