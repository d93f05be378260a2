// Zoom: 24 reads along the line to the center, fading on the way.

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec2 center = vec2(0.5) + 0.1 * vec2(cos(iTime), sin(iTime));
    vec2 stride = (center - uv) * 0.012;
    vec3 sum = vec3(0.0);
    float weight = 1.0;
    float total = 0.0;
    for (int i = 0; i < 24; i++) {
        sum += weight * texture(iChannel0, uv).rgb;
        total += weight;
        weight *= 0.93;
        uv += stride;
    }
    fragColor = vec4(sum / total, 1.0);
}
