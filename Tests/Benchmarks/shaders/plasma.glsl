// Plasma: four waves and a cosine palette. Cheap to shade, so that writing the picture costs as much as making it.

vec3 palette(float phase)
{
    return 0.5 + 0.5 * cos(6.2831853 * (phase + vec3(0.0, 0.33, 0.67)));
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    float wave = sin(3.0 * p.x + iTime);
    wave += sin(4.0 * p.y - 1.3 * iTime);
    wave += sin(2.5 * (p.x + p.y) + 0.7 * iTime);
    wave += sin(6.0 * length(p) - 2.0 * iTime);
    fragColor = vec4(palette(0.15 * wave + 0.05 * iTime), 1.0);
}
