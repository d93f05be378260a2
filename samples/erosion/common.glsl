// Heights of ground and water are in pixels, so that a slope of 1 is 45 degrees at every size.
#define RAIN 0.0012
#define DRYING 0.012
// How much ground water can carry, for each speed and slope.
#define CAPACITY 0.22
// The steepest slope that does not slide.
#define TALUS 0.9
const float SEA = 0.045;

float hash(uvec2 cell)
{
    uint h = cell.x * 2654435769u ^ cell.y * 3332679571u;
    h = (h ^ (h >> 16)) * 2146121005u;
    h = (h ^ (h >> 15)) * 2221713035u;
    return float((h ^ (h >> 16)) >> 8) / 16777216.0;
}

float noise(vec2 p)
{
    vec2 cell = floor(p), f = p - cell;
    f = f * f * f * (f * (6.0 * f - 15.0) + 10.0);
    uvec2 c = uvec2(ivec2(cell) + 4096);
    return mix(mix(hash(c), hash(c + uvec2(1u, 0u)), f.x), mix(hash(c + uvec2(0u, 1u)), hash(c + uvec2(1u, 1u)), f.x), f.y);
}

// Mountains before the first rain, as a part of the picture's height: an island of soft ridges.
float mountains(vec2 p, float aspect)
{
    float sum = 0.0, weight = 0.5;
    vec2 q = 3.1 * p + 11.0;
    for (int octave = 0; octave < 6; octave++)
    {
        float ridge = 1.0 - abs(2.0 * noise(q) - 1.0);
        sum += weight * mix(noise(q + 31.0), ridge * ridge, 0.6);
        q = mat2(0.8, 0.6, -0.6, 0.8) * q * 2.03 + 3.7;
        weight *= 0.47;
    }
    vec2 from = (p - vec2(0.5 * aspect, 0.5)) / vec2(0.5 * aspect, 0.5);
    float island = 1.0 - smoothstep(0.35, 1.05, length(from));
    return 0.46 * island * sum;
}
