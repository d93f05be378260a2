// Cells: the nearest and the second nearest of the points that a sine hash scatters, two layers of them.

vec2 scatter(vec2 cell)
{
    vec2 q = vec2(dot(cell, vec2(127.1, 311.7)), dot(cell, vec2(269.5, 183.3)));
    return fract(sin(q) * 43758.5453);
}

vec2 nearest(vec2 p, float t)
{
    vec2 cell = floor(p);
    vec2 f = fract(p);
    vec2 found = vec2(8.0);
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            vec2 offset = vec2(float(x), float(y));
            vec2 point = 0.5 + 0.4 * sin(t + 6.2831853 * scatter(cell + offset));
            vec2 way = offset + point - f;
            float d = dot(way, way);
            if (d < found.x) found = vec2(d, found.x);
            else if (d < found.y) found.y = d;
        }
    }
    return sqrt(found);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = fragCoord / iResolution.y;
    vec2 large = nearest(5.0 * p, iTime);
    vec2 small = nearest(14.0 * p + 3.7, 1.7 * iTime);
    float wall = smoothstep(0.02, 0.12, large.y - large.x);
    vec3 color = mix(vec3(0.08, 0.05, 0.04), vec3(0.85, 0.6, 0.35) - 0.5 * large.x, wall);
    fragColor = vec4(color * (0.7 + 0.4 * (small.y - small.x)), 1.0);
}
