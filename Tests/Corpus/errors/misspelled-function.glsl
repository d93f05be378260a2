void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec3 n = normalise(vec3(uv, 1.0));
    fragColor = vec4(n, 1.0);
}
