// Curtains of northern light over a lake, with stars. A generator: it reads no picture.
// Constants at the top can be changed from outside: --set CURTAINS=7

#define CURTAINS 5
#define SPEED 0.35
const vec3 LOW_COLOR = vec3(0.10, 0.95, 0.55);
const vec3 HIGH_COLOR = vec3(0.55, 0.20, 0.85);

float hash(uvec2 cell)
{
    uint h = cell.x * 1664525u + cell.y * 22695477u + 1013904223u;
    h ^= h >> 16;
    h *= 2246822519u;
    h ^= h >> 13;
    h *= 3266489917u;
    h ^= h >> 16;
    return float(h >> 8) / 16777216.0;
}

float noise(vec2 p)
{
    vec2 cell = floor(p);
    vec2 f = p - cell;
    f = f * f * (3.0 - 2.0 * f);
    uvec2 c = uvec2(ivec2(cell) + 4096);
    float bottom = mix(hash(c), hash(c + uvec2(1u, 0u)), f.x);
    float top = mix(hash(c + uvec2(0u, 1u)), hash(c + uvec2(1u, 1u)), f.x);
    return mix(bottom, top, f.y);
}

float folds(vec2 p)
{
    float sum = 0.0;
    float weight = 0.5;
    for (int octave = 0; octave < 5; octave++) {
        sum += weight * noise(p);
        p = mat2(0.8, 0.6, -0.6, 0.8) * p * 2.03 + 7.1;
        weight *= 0.5;
    }
    return sum;
}

vec3 curtain(vec2 p, float index, float t)
{
    float depth = 1.0 + 0.5 * index;
    float x = p.x * depth + index * 4.3;
    float wave = folds(vec2(x * 1.1 + t * 0.3, t * 0.25 + index)) - 0.45;
    float foot = 0.22 + 0.75 * wave + 0.035 * index;
    float height = p.y - foot;
    float rays = folds(vec2(x * 9.0 + wave * 14.0, t * 0.6 + index * 5.0));
    rays = 0.25 + 1.5 * rays * rays;
    float fade = 5.0 + 5.0 * folds(vec2(x * 2.0 - t * 0.2, index * 9.0));
    float light = smoothstep(-0.012, 0.03, height) * exp(-max(height, 0.0) * fade) * rays;
    float presence = smoothstep(0.3, 0.62, folds(vec2(x * 0.6 - t * 0.15, 20.0 + index * 3.0)));
    return presence * light * mix(LOW_COLOR, HIGH_COLOR, smoothstep(0.05, 0.32, height)) / depth;
}

vec3 sky(vec2 p, float t)
{
    vec3 color = mix(vec3(0.015, 0.035, 0.075), vec3(0.002, 0.004, 0.02), clamp(p.y * 1.2, 0.0, 1.0));
    for (int index = 0; index < CURTAINS; index++) color += 0.8 * curtain(p, float(index), t);
    vec2 grid = p * 95.0;
    vec2 cell = floor(grid);
    float star = hash(uvec2(ivec2(cell) + 9999));
    vec2 offset = vec2(hash(uvec2(ivec2(cell) + 77)), hash(uvec2(ivec2(cell) + 555))) - 0.5;
    float glow = 1.0 - smoothstep(0.0, 0.12, length(grid - cell - 0.5 - 0.6 * offset));
    color += step(0.965, star) * glow * (0.6 + 0.4 * sin(t * 6.0 + star * 900.0)) * vec3(0.9, 0.95, 1.0);
    return color;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = (fragCoord - vec2(0.5, 0.32) * iResolution.xy) / iResolution.y;
    float t = iTime * SPEED;
    vec3 color;
    float ridge = 0.02 + 0.12 * folds(vec2(p.x * 2.1 + 3.0, 1.0)) - 0.04;
    if (p.y > 0.0) {
        color = sky(p, t);
        color = mix(vec3(0.004, 0.008, 0.014), color, smoothstep(-0.002, 0.002, p.y - ridge));
    } else {
        float ripple = 0.02 * sin(90.0 * p.y / (0.12 - p.y) + 3.0 * t) * folds(vec2(p.x * 12.0, p.y * 60.0 - t));
        vec2 mirrored = vec2(p.x + ripple, -p.y * 0.9 + ripple);
        color = sky(mirrored, t);
        color = mix(vec3(0.004, 0.008, 0.014), color, smoothstep(-0.004, 0.004, mirrored.y - ridge));
        color *= mix(0.7, 0.3, clamp(-p.y * 3.0, 0.0, 1.0));
    }
    color = 1.0 - exp(-1.6 * color);
    fragColor = vec4(pow(color, vec3(0.4545)), 1.0);
}
