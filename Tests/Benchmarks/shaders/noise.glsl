// Noise: value noise from a sine hash, summed over octaves and warped twice by itself.

float hash(vec2 cell)
{
    return fract(sin(dot(cell, vec2(127.1, 311.7))) * 43758.5453);
}

float noise(vec2 p)
{
    vec2 cell = floor(p);
    vec2 f = fract(p);
    vec2 blend = f * f * (3.0 - 2.0 * f);
    float low = mix(hash(cell), hash(cell + vec2(1.0, 0.0)), blend.x);
    float high = mix(hash(cell + vec2(0.0, 1.0)), hash(cell + vec2(1.0, 1.0)), blend.x);
    return mix(low, high, blend.y);
}

float fbm(vec2 p)
{
    float sum = 0.0;
    float weight = 0.5;
    for (int octave = 0; octave < 4; octave++) {
        sum += weight * noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p;
        weight *= 0.5;
    }
    return sum;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = 3.0 * fragCoord / iResolution.y;
    float warp = fbm(p + 0.15 * iTime);
    float value = fbm(p + 2.0 * warp + vec2(1.7, 9.2));
    vec3 color = mix(vec3(0.08, 0.12, 0.3), vec3(0.95, 0.75, 0.45), value);
    fragColor = vec4(mix(color, vec3(0.7, 0.2, 0.25), warp * warp), 1.0);
}
