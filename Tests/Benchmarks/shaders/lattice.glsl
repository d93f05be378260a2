// Lattice: value noise in three dimensions from an integer hash, four octaves, no sine at all.

float hash(uvec3 cell)
{
    uint h = cell.x * 1597334673u ^ cell.y * 3812015801u ^ cell.z * 2798796415u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    h *= 3266489917u;
    h ^= h >> 16;
    return float(h >> 8) / 16777216.0;
}

float noise(vec3 p)
{
    vec3 cell = floor(p);
    vec3 f = p - cell;
    f = f * f * (3.0 - 2.0 * f);
    uvec3 c = uvec3(ivec3(cell) + 1024);
    vec2 near = vec2(mix(hash(c), hash(c + uvec3(1u, 0u, 0u)), f.x),
                     mix(hash(c + uvec3(0u, 1u, 0u)), hash(c + uvec3(1u, 1u, 0u)), f.x));
    vec2 far = vec2(mix(hash(c + uvec3(0u, 0u, 1u)), hash(c + uvec3(1u, 0u, 1u)), f.x),
                    mix(hash(c + uvec3(0u, 1u, 1u)), hash(c + uvec3(1u, 1u, 1u)), f.x));
    vec2 both = mix(near, far, f.z);
    return mix(both.x, both.y, f.y);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec3 p = vec3(4.0 * fragCoord / iResolution.y, 0.3 * iTime);
    float sum = 0.0;
    float weight = 0.5;
    for (int octave = 0; octave < 4; octave++) {
        sum += weight * noise(p);
        p = p * 2.03 + 5.1;
        weight *= 0.5;
    }
    float cloud = smoothstep(0.3, 0.75, sum);
    fragColor = vec4(mix(vec3(0.25, 0.45, 0.75), vec3(0.97, 0.96, 0.94), cloud), 1.0);
}
