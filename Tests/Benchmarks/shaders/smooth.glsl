// Smooth: 25 texels that count the less the farther they are in place and in color, so that edges stay.

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    ivec2 last = textureSize(iChannel0, 0) - 1;
    ivec2 place = ivec2(fragCoord);
    vec3 middle = texelFetch(iChannel0, min(place, last), 0).rgb;
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (int y = -2; y <= 2; y++) {
        for (int x = -2; x <= 2; x++) {
            vec3 color = texelFetch(iChannel0, clamp(place + ivec2(x, y), ivec2(0), last), 0).rgb;
            vec3 apart = color - middle;
            float weight = exp(-0.15 * float(x * x + y * y) - 30.0 * dot(apart, apart));
            sum += weight * color;
            total += weight;
        }
    }
    fragColor = vec4(sum / total, 1.0);
}
