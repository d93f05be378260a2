void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    /* grün */	vec3 color = vec3(uvw, 1.0);
    fragColor = vec4(color, 1.0);
}
