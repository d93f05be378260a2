// Blur: 25 reads between pixels with weights that fall with the distance.

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 pixel = 1.0 / iResolution.xy;
    vec2 uv = fragCoord * pixel;
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (int y = -2; y <= 2; y++) {
        for (int x = -2; x <= 2; x++) {
            vec2 offset = vec2(float(x), float(y));
            float weight = exp(-0.2 * dot(offset, offset));
            sum += weight * texture(iChannel0, uv + 1.6 * offset * pixel).rgb;
            total += weight;
        }
    }
    fragColor = vec4(sum / total, 1.0);
}
