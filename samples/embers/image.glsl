// The color of hot iron, with a halo.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float glow = texture(iChannel0, fragCoord / iResolution.xy).x;
    float halo = 0.0;
    for (int i = 0; i < 12; i++)
    {
        float angle = 6.2831853 * float(i) / 12.0;
        float radius = (i % 2 == 0 ? 0.010 : 0.022) * iResolution.y;
        halo += texture(iChannel0, (fragCoord + radius * vec2(cos(angle), sin(angle))) / iResolution.xy).x;
    }
    float heat = glow + 0.05 * halo;
    vec3 color = vec3(1.5, 0.55, 0.12) * heat + vec3(0.6, 0.6, 0.45) * heat * heat * heat;
    color += vec3(0.05, 0.015, 0.03) * (1.0 - fragCoord.y / iResolution.y);
    fragColor = vec4(1.0 - exp(-1.6 * color), 1.0);
}
