// Sponge: a ray through a cube with three generations of square holes; every step of the ray folds space in a loop.

float cube(vec3 p, float halfSize)
{
    vec3 q = abs(p) - halfSize;
    return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
}

float sponge(vec3 p)
{
    float d = cube(p, 1.0);
    float scale = 1.0;
    for (int generation = 0; generation < 3; generation++) {
        vec3 a = mod(p * scale, 2.0) - 1.0;
        scale *= 3.0;
        vec3 r = abs(1.0 - 3.0 * abs(a));
        float hole = (min(max(r.x, r.y), min(max(r.y, r.z), max(r.z, r.x))) - 1.0) / scale;
        d = max(d, hole);
    }
    return d;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    float c = cos(0.3 * iTime + 0.5);
    float s = sin(0.3 * iTime + 0.5);
    vec3 origin = vec3(3.2 * s, 1.4, -3.2 * c);
    vec3 forward = normalize(-origin);
    vec3 right = vec3(c, 0.0, s);
    vec3 direction = normalize(forward * 1.7 + right * p.x + cross(forward, right) * p.y);
    float travelled = 1.0;
    float shade = 0.0;
    for (int steps = 0; steps < 48; steps++) {
        float d = sponge(origin + travelled * direction);
        if (d < 0.002) { shade = 1.0 - float(steps) / 48.0; break; }
        travelled += d;
        if (travelled > 7.0) break;
    }
    vec3 color = mix(vec3(0.1, 0.12, 0.18), vec3(0.98, 0.85, 0.6), shade * shade);
    fragColor = vec4(color * (1.0 - 0.08 * travelled * step(0.001, shade)), 1.0);
}
