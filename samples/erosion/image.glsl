// The island from the air, which turns slowly around it: a ray walks over the heights until it is below them.
const vec3 SUN = vec3(0.62, 0.45, 0.64);

vec4 land(vec2 p) { return texture(iChannel0, p * iResolution.y / iResolution.xy); }
float height(vec2 p) { return land(p).x / iResolution.y; }
bool isOver(vec2 p) { return all(greaterThan(p, vec2(0.0))) && all(lessThan(p, iResolution.xy / iResolution.y)); }

vec3 sky(vec3 d)
{
    float up = clamp(d.y, 0.0, 1.0);
    return mix(vec3(0.72, 0.62, 0.52), vec3(0.13, 0.28, 0.52), 1.0 - exp(-5.0 * up)) + vec3(0.5, 0.3, 0.1) * pow(max(dot(d, SUN), 0.0), 12.0);
}

// How much of the sun is seen from a point.
float shadow(vec3 p)
{
    float lit = 1.0;
    for (int i = 1; i <= 24; i++)
    {
        float t = 0.012 * float(i);
        vec3 q = p + t * SUN;
        if (q.y > 0.36 || !isOver(q.xz)) break;
        lit = min(lit, 1.0 + 18.0 * (q.y - height(q.xz)) / t * 0.5);
    }
    return smoothstep(0.0, 1.0, lit);
}

vec3 surface(vec3 p, float t)
{
    float e = 1.0 / iResolution.y;
    vec4 state = land(p.xz);
    vec3 normal = normalize(vec3(height(p.xz - vec2(e, 0.0)) - height(p.xz + vec2(e, 0.0)), 2.0 * e,
                                 height(p.xz - vec2(0.0, e)) - height(p.xz + vec2(0.0, e))));
    float grain = noise(90.0 * p.xz);
    vec3 rock = mix(vec3(0.30, 0.26, 0.24), vec3(0.46, 0.40, 0.34), grain);
    vec3 grass = mix(vec3(0.16, 0.24, 0.08), vec3(0.30, 0.34, 0.12), grain);
    vec3 color = mix(rock, grass, smoothstep(0.72, 0.86, normal.y) * (1.0 - smoothstep(0.16, 0.23, p.y)));
    color = mix(color, vec3(0.62, 0.54, 0.38), 1.0 - smoothstep(SEA + 0.004, SEA + 0.018, p.y));
    color = mix(color, vec3(0.86, 0.88, 0.92), smoothstep(0.235, 0.27, p.y + 0.03 * grain) * smoothstep(0.5, 0.75, normal.y));
    // Brooks and rivers, where much water has passed.
    color = mix(color, vec3(0.10, 0.24, 0.30), 0.85 * smoothstep(0.012, 0.05, state.w));
    vec3 light = vec3(2.3, 1.85, 1.35) * max(dot(normal, SUN), 0.0) * shadow(p + 0.004 * normal) + vec3(0.22, 0.29, 0.42) * (0.5 + 0.5 * normal.y);
    return color * light;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float aspect = iResolution.x / iResolution.y;
    vec2 s = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    float turn = -0.5 + 0.06 * iTime;
    vec3 center = vec3(0.5 * aspect, 0.10, 0.5);
    vec3 eye = center + vec3(1.08 * sin(turn), 0.46, -1.08 * cos(turn));
    vec3 forward = normalize(center - vec3(0.0, 0.01, 0.0) - eye), right = normalize(vec3(forward.z, 0.0, -forward.x)), up = cross(forward, right);
    vec3 d = normalize(s.x * right + s.y * up + 2.0 * forward);

    vec3 color = sky(d);
    // The sea is a plane; the land stands out of it.
    float sea = d.y < -1e-4 ? (SEA - eye.y) / d.y : 1e9, t = 0.0, found = -1.0;
    float top = 0.40;
    if (d.y < -1e-4) t = max((top - eye.y) / d.y, 0.0);
    float end = min(sea, 5.0), before = t;
    for (int i = 0; i < 160 && t < end; i++)
    {
        vec3 p = eye + t * d;
        float gap = isOver(p.xz) ? p.y - height(p.xz) : p.y - SEA + 0.02;
        if (gap < 0.0) { found = t; break; }
        before = t;
        t += clamp(0.45 * gap, 0.004, 0.05);
    }
    if (found > 0.0)
    {
        for (int i = 0; i < 6; i++)
        {
            float middle = 0.5 * (before + found);
            vec3 p = eye + middle * d;
            if (p.y < height(p.xz)) found = middle; else before = middle;
        }
        color = surface(eye + found * d, found);
        color = mix(color, sky(normalize(vec3(d.x, 0.0, d.z))), 1.0 - exp(-0.045 * found * found));
    }
    else if (sea < 1e8)
    {
        vec3 p = eye + sea * d;
        float depth = isOver(p.xz) ? SEA - height(p.xz) : SEA;
        vec2 wave = 0.02 * vec2(noise(60.0 * p.xz + 0.8 * iTime) - 0.5, noise(60.0 * p.xz + 40.0 - 0.7 * iTime) - 0.5);
        vec3 normal = normalize(vec3(wave.x, 1.0, wave.y)), mirrored = reflect(d, normal);
        float fresnel = 0.03 + 0.97 * pow(clamp(1.0 + dot(d, normal), 0.0, 1.0), 5.0);
        vec3 water = mix(vec3(0.13, 0.33, 0.32), vec3(0.012, 0.06, 0.11), 1.0 - exp(-60.0 * max(depth, 0.0)));
        float foam = 1.0 - smoothstep(0.0, 0.004, depth + 0.002 * sin(2.0 * iTime + 30.0 * noise(8.0 * p.xz)));
        color = mix(mix(water, vec3(0.9), 0.6 * foam), sky(mirrored), fresnel);
        color = mix(color, sky(normalize(vec3(d.x, 0.0, d.z))), 1.0 - exp(-0.09 * sea * sea));
    }
    color = pow(1.0 - exp(-1.5 * color), vec3(1.0 / 2.2));
    fragColor = vec4(mix(color, color * color * (3.0 - 2.0 * color), 0.4), 1.0);
}
