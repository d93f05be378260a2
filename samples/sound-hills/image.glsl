// Rows of hills from the nearest to the farthest: the first one that hides a pixel has it. Behind them are the sun and its mirror image.
float hash(ivec2 cell)
{
    uint h = uint(cell.x) * 2654435769u ^ uint(cell.y) * 3332679571u;
    h = (h ^ (h >> 16)) * 2146121005u;
    h = (h ^ (h >> 15)) * 2221713035u;
    return float((h ^ (h >> 16)) >> 8) / 16777216.0;
}

// What a row of the buffer holds between two of its pixels, mixed here: devices filter textures more or less finely.
vec2 row(int y, float across)
{
    int last = int(iResolution.x) - 1;
    float x = clamp(across * iResolution.x - 0.5, 0.0, float(last));
    int left = int(x);
    return mix(texelFetch(iChannel0, ivec2(left, y), 0).xy, texelFetch(iChannel0, ivec2(min(left + 1, last), y), 0).xy, x - float(left));
}

vec3 sun(vec2 p, float beat)
{
    vec2 center = vec2(0.0, 0.30);
    float radius = 0.30 + 0.05 * beat;
    vec2 d = p - center;
    // The sound's wave runs around its edge.
    float around = atan(d.x, -d.y) / 6.2831853 + 0.5;
    float wave = row(0, abs(2.0 * around - 1.0)).y;
    float edge = length(d) - radius - 0.10 * wave;
    float soft = 1.5 / iResolution.y;
    // Gaps that grow downward.
    float stripe = 18.0 * d.y - 18.0 * floor(d.y) + 0.6 * iTime;
    stripe -= floor(stripe);
    float gap = 1.0 - smoothstep(-0.06, 0.06, stripe - 0.55 * (1.2 - 1.2 * smoothstep(-0.35, 0.12, d.y)));
    gap *= 1.0 - step(0.12, d.y);
    vec3 disk = mix(vec3(1.00, 0.12, 0.42), vec3(1.00, 0.78, 0.22), smoothstep(-0.3, 0.3, d.y));
    vec3 color = disk * 1.5 * (1.0 - smoothstep(-soft, soft, edge)) * (1.0 - gap);
    color += vec3(1.0, 0.25, 0.45) * (0.22 + 0.35 * beat) * exp(-4.5 * max(edge, 0.0)) * smoothstep(-0.05, 0.05, edge + 0.05);
    float ring = abs(length(d) - radius - 0.07 - 0.35 * wave) - 0.0015;
    color += vec3(0.35, 0.8, 1.0) * (1.0 - smoothstep(0.0, 2.0 * soft, ring)) * 0.9;
    return color;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    float aspect = iResolution.x / iResolution.y, beat = texelFetch(iChannel0, ivec2(0), 0).z;
    beat = smoothstep(0.35, 0.95, beat);

    vec3 color = mix(vec3(0.11, 0.02, 0.12), vec3(0.006, 0.006, 0.03), smoothstep(-0.2, 1.0, p.y));
    ivec2 cell = ivec2(floor(90.0 * (p + 4.0)));
    vec2 inCell = 90.0 * (p + 4.0) - vec2(cell) - 0.5;
    if (hash(cell) < 0.007) color += 0.7 * hash(cell + 900) * exp(-9.0 * dot(inCell, inCell));
    color += sun(p, beat);

    // Rows move smoothly between two steps of the buffer.
    float part = (float(iFrame % PACE) + 1.0) / float(PACE);
    float soft = 1.2 / iResolution.y;
    float cover = 0.0;
    vec3 hills = vec3(0.0);
    for (int number = 0; number < LINES && cover < 0.999; number++)
    {
        float far = (float(number) + part) / float(LINES);
        float depth = 1.0 + 5.5 * far;
        float foot = 0.02 - 1.12 / depth;
        float across = p.x * depth / (2.4 * aspect) + 0.5;
        float loud = row(min(number, int(iResolution.y) - 1), across).x;
        float top = foot + HEIGHT * 2.2 * loud / depth;
        float inside = 1.0 - smoothstep(-soft, soft, p.y - top);
        float line = 1.0 - smoothstep(0.0, 2.2 * soft, abs(p.y - top) - 0.5 * soft);
        vec3 tint = mix(vec3(0.15, 0.85, 1.0), vec3(1.0, 0.20, 0.65), smoothstep(0.05, 0.45, loud));
        tint = mix(tint, vec3(1.0, 0.85, 0.45), smoothstep(0.45, 0.9, loud));
        float fade = 1.0 - far;
        vec3 slope = tint * (0.04 + 0.25 * loud) * exp(-9.0 * max(top - p.y, 0.0) * depth * 0.4) * fade;
        vec3 own = mix(vec3(0.008, 0.004, 0.020), vec3(0.08, 0.015, 0.08), far * far) + slope + line * tint * (0.25 + 0.75 * smoothstep(0.0, 0.15, loud)) * (0.06 + 1.1 * fade * fade);
        float here = max(inside, line * 0.9) * (1.0 - cover) * (1.0 - smoothstep(0.88, 1.0, far));
        hills += here * own;
        cover += here;
    }
    color = mix(color, vec3(0.0), cover) + hills;
    color = 1.0 - exp(-1.6 * color);
    vec2 from = fragCoord / iResolution.xy - 0.5;
    fragColor = vec4(pow(color * (1.0 - 0.6 * dot(from, from)), vec3(1.0 / 2.2)), 1.0);
}
