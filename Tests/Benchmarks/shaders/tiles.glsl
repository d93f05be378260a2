// Tiles: two crossed grids of rounded squares that breathe, with soft edges. Multiplications, minima and steps.

float tile(vec2 p, float halfSize)
{
    vec2 q = abs(fract(p) - 0.5) - halfSize;
    float outside = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - 0.06;
    return smoothstep(0.02, -0.02, outside);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = fragCoord / iResolution.y;
    vec2 turned = vec2(p.x + p.y, p.x - p.y) * 0.7071;
    float pulse = 0.5 + 0.5 * sin(iTime);
    float straight = tile(8.0 * p + 0.2 * iTime, mix(0.2, 0.35, pulse));
    float crossed = tile(5.0 * turned - 0.1 * iTime, mix(0.32, 0.18, pulse));
    vec3 color = mix(vec3(0.95, 0.92, 0.85), vec3(0.15, 0.35, 0.45), straight);
    color = mix(color, vec3(0.85, 0.35, 0.2), crossed * (1.0 - 0.5 * straight));
    color *= 1.0 - 0.35 * dot(p - vec2(0.9, 0.5), p - vec2(0.9, 0.5));
    fragColor = vec4(clamp(color, 0.0, 1.0), 1.0);
}
