// A flight through a sponge of cubes within cubes. A generator: it reads no picture.
// The sponge is what remains when crosses are cut out of space, again and again at a third of the size; here space is wound around the way.
// Constants at the top can be changed from outside: --set LEVELS=5

#define LEVELS 4
#define SPEED 0.45
#define TWIST 0.22
#define STEPS 96
const vec3 LAMP = vec3(1.00, 0.62, 0.28);
const vec3 DEEP = vec3(0.05, 0.16, 0.30);

mat2 turned(float angle) { float c = cos(angle), s = sin(angle); return mat2(c, s, -s, c); }

// Space is wound around the way of the flight.
vec3 wound(vec3 p) { p.xy = turned(TWIST * p.z) * p.xy; return p; }

// Lamps float where the cuts beside the flight's own cross.
vec3 fromLamp(vec3 p)
{
    vec3 spacing = vec3(4.0, 2.0, 2.0);
    p.x += 2.0;
    return p - spacing * floor(p / spacing + 0.5);
}

// The distance to the sponge (x), how deep the smallest cut near here lies (y), and how near an edge of it is (z).
vec3 sponge(vec3 p)
{
    p = wound(p);
    float distance = -1.0, scale = 1.0, deepest = 0.0, edge = 1.0;
    for (int level = 0; level < LEVELS; level++)
    {
        // Cells have a side of 2, and the cuts meet in their corners.
        vec3 cell = scale * p;
        cell = cell - 2.0 * floor(0.5 * cell) - 1.0;
        scale *= 3.0;
        vec3 r = abs(1.0 - 3.0 * abs(cell));
        vec3 pairs = max(r.xyz, r.yzx);
        float hole = (min(pairs.x, min(pairs.y, pairs.z)) - 1.0) / scale;
        if (hole > distance)
        {
            distance = hole;
            deepest = float(level);
            // In a corner of a cut, two sides are equally near.
            edge = abs(r.x - r.y) * abs(r.y - r.z) * abs(r.z - r.x);
        }
    }
    return vec3(distance, deepest, edge);
}

vec3 normalAt(vec3 p, float e)
{
    vec2 k = vec2(1.0, -1.0);
    return normalize(k.xyy * sponge(p + e * k.xyy).x + k.yyx * sponge(p + e * k.yyx).x
                   + k.yxy * sponge(p + e * k.yxy).x + k.xxx * sponge(p + e * k.xxx).x + 1e-9);
}

// The way leads through the widest holes.
vec3 way(float t)
{
    vec3 p = vec3(0.16 * sin(1.1 * t), 0.14 * sin(0.8 * t + 1.0), t);
    p.xy = p.xy * turned(TWIST * t);
    return p;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 s = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    float t = SPEED * iTime;
    vec3 eye = way(t), forward = normalize(way(t + 0.7) - eye);
    vec3 right = normalize(cross(vec3(sin(0.3 * t), cos(0.3 * t), 0.0), forward)), up = cross(forward, right);
    vec3 d = normalize(s.x * right + s.y * up + 1.15 * forward);

    float far = 0.01, glow = 0.0, pixel = 1.2 / iResolution.y;
    vec3 found = vec3(0.0);
    bool isHit = false;
    int used = 0;
    for (int i = 0; i < STEPS && far < 9.0; i++)
    {
        vec3 p = eye + far * d;
        found = sponge(p);
        used = i;
        if (found.x < 0.5 * pixel * far) { isHit = true; break; }
        vec3 lamp = fromLamp(wound(p));
        glow += min(found.x, 0.2) * 0.03 / (0.01 + dot(lamp, lamp));
        far += 0.8 * found.x;
    }

    vec3 mist = DEEP * (0.6 + 0.4 * d.y), color = mist;
    if (isHit)
    {
        vec3 p = eye + far * d, normal = normalAt(p, max(0.6 * pixel * far, 2e-4));
        float corner = 1.0 - float(used) / float(STEPS);
        vec3 stone = mix(vec3(0.26, 0.30, 0.40), vec3(0.10, 0.42, 0.50), found.y / float(max(LEVELS - 1, 1)));
        stone = mix(vec3(1.0, 0.50, 0.14), stone, smoothstep(0.0, 0.06, found.z));
        // The eye carries a light, the lamps light what is around them, and the sky comes from above.
        vec3 lamp = fromLamp(wound(p));
        vec3 light = vec3(0.55, 0.62, 0.75) * max(-dot(normal, d), 0.0) / (1.0 + 1.6 * far * far);
        light += LAMP * 1.6 * (0.3 + 0.7 * max(-dot(normalize(lamp + 1e-4), vec3(turned(TWIST * p.z) * normal.xy, normal.z)), 0.0)) / (0.2 + 2.0 * dot(lamp, lamp));
        light += 0.12 * vec3(0.4, 0.6, 0.9) * (0.5 + 0.5 * normal.y);
        color = stone * light * corner * corner;
        color = mix(mist, color, exp(-0.11 * far * far));
    }
    color += glow * LAMP * 0.55;
    color = 1.0 - exp(-2.2 * color);
    vec2 from = fragCoord / iResolution.xy - 0.5;
    color = pow(color * (1.0 - 0.9 * dot(from, from)), vec3(1.0 / 2.2));
    fragColor = vec4(mix(color, color * color * (3.0 - 2.0 * color), 0.6), 1.0);
}
