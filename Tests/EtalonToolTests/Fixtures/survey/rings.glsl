void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    fragColor = vec4(vec3(0.5 + 0.5 * cos(8.0 * length(p) - iTime)), 1.0);
}
