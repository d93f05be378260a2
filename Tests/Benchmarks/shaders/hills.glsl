// Hills: a ray over waves of land, which halves its last step to find the ground, and a fog that hides the rest.

float height(vec2 p)
{
    return 0.6 * sin(p.x * 0.7) * cos(p.y * 0.5) + 0.25 * sin(p.x * 1.9 + p.y * 1.3) + 0.08 * cos(p.y * 4.1 - p.x * 2.7);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    vec3 origin = vec3(0.6 * iTime, 1.6, iTime);
    vec3 direction = normalize(vec3(p.x, p.y - 0.35, 1.5));
    float travelled = 0.2;
    float last = 0.0;
    bool found = false;
    for (int steps = 0; steps < 64; steps++) {
        vec3 at = origin + travelled * direction;
        float above = at.y - height(at.xz);
        if (above < 0.0) { found = true; break; }
        if (travelled > 25.0 || at.y > 2.5) break;
        last = travelled;
        travelled += max(0.1, 0.5 * above) + 0.01 * travelled;
    }
    vec3 sky = mix(vec3(0.95, 0.85, 0.7), vec3(0.4, 0.6, 0.85), clamp(0.6 + p.y, 0.0, 1.0));
    vec3 color = sky;
    if (found) {
        float high = travelled;
        for (int halving = 0; halving < 6; halving++) {
            float middle = 0.5 * (last + high);
            vec3 at = origin + middle * direction;
            if (at.y < height(at.xz)) high = middle;
            else last = middle;
        }
        vec3 at = origin + high * direction;
        vec2 e = vec2(0.02, 0.0);
        vec3 normal = normalize(vec3(height(at.xz - e.xy) - height(at.xz + e.xy), 0.04, height(at.xz - e.yx) - height(at.xz + e.yx)));
        float light = max(dot(normal, normalize(vec3(0.5, 0.7, -0.3))), 0.0);
        color = mix(vec3(0.2, 0.4, 0.15), vec3(0.6, 0.5, 0.35), smoothstep(0.1, 0.7, at.y)) * (0.25 + 0.9 * light);
        color = mix(sky, color, exp(-0.09 * high));
    }
    fragColor = vec4(color, 1.0);
}
