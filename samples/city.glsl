// A flight over a city at dusk. A generator: it reads no picture.
// The city is a grid of blocks; a ray goes from block to block and meets the few boxes that stand in each.
// Constants at the top can be changed from outside: --set LIT=0.8

#define SPEED 1.6
#define LIT 0.45
#define BLOCKS 72
const vec3 DUSK = vec3(1.00, 0.42, 0.22);
const vec3 NIGHT = vec3(0.05, 0.10, 0.26);
const vec3 TOWARD_SUN = vec3(0.12, 0.05, 0.99);

float hash(ivec3 v)
{
    uint h = uint(v.x + 4096) * 2654435769u ^ uint(v.y + 4096) * 3332679571u ^ uint(v.z + 4096) * 1664525u;
    h = (h ^ (h >> 16)) * 2146121005u;
    h = (h ^ (h >> 15)) * 2221713035u;
    return float((h ^ (h >> 16)) >> 8) / 16777216.0;
}

float square(float x) { return x * x; }

float hash(ivec2 v, int number) { return hash(ivec3(v, number)); }

vec3 sky(vec3 d)
{
    float up = max(d.y, 0.0), near = max(dot(d, normalize(TOWARD_SUN)), 0.0);
    vec3 color = mix(0.85 * DUSK, NIGHT, 1.0 - exp(-6.5 * up));
    color += DUSK * (0.30 * pow(near, 5.0) + 0.55 * pow(near, 60.0));
    // Bands of cloud, lit from below.
    if (up > 0.01)
    {
        vec2 q = d.xz / (up + 0.08);
        float band = 0.5 + 0.25 * sin(1.7 * q.y + 0.9 * sin(0.8 * q.x)) + 0.25 * sin(3.1 * q.y - 1.3 * q.x + 1.7 * sin(0.5 * q.x + 1.0));
        color += 0.22 * vec3(1.0, 0.45, 0.40) * smoothstep(0.55, 1.0, band) * exp(-6.0 * up);
    }
    return color;
}

struct Hit { float t; vec3 normal; ivec2 block; int part; };

void box(vec3 o, vec3 along, vec3 low, vec3 high, ivec2 block, int part, inout Hit hit)
{
    vec3 a = (low - o) / along, b = (high - o) / along, first = min(a, b), last = max(a, b);
    float enter = max(max(first.x, first.y), first.z), leave = min(min(last.x, last.y), last.z);
    if (enter > leave || enter < 0.0 || enter > hit.t) return;
    vec3 face = step(vec3(enter), first);
    hit = Hit(enter, -normalize(face * sign(along)), block, part);
}

// The towers of a block: a broad foot, and above it a narrower part or two.
void towers(vec3 o, vec3 along, ivec2 block, inout Hit hit)
{
    float kind = hash(block, 1);
    if (kind < 0.08) return;    // a square without a house
    vec2 middle = vec2(block) + 0.5;
    float center = exp(-0.012 * float(block.x * block.x));
    float tall = 0.25 + 2.2 * center * pow(hash(block, 2), 3.0) + 0.55 * hash(block, 3);
    // The way of the flight leads over these.
    if (abs(block.x) <= 1) tall = min(tall, 1.5);
    vec2 wide = 0.25 + 0.11 * vec2(hash(block, 4), hash(block, 5));
    float foot = tall * (kind < 0.45 ? 1.0 : 0.35 + 0.4 * hash(block, 6));
    box(o, along, vec3(middle.x - wide.x, 0.0, middle.y - wide.y), vec3(middle.x + wide.x, foot, middle.y + wide.y), block, 0, hit);
    if (foot == tall) return;
    vec2 narrow = wide * (0.55 + 0.25 * hash(block, 7));
    box(o, along, vec3(middle.x - narrow.x, foot, middle.y - narrow.y), vec3(middle.x + narrow.x, tall, middle.y + narrow.y), block, 1, hit);
    if (tall < 1.6) return;
    box(o, along, vec3(middle.x - 0.02, tall, middle.y - 0.02), vec3(middle.x + 0.02, 1.22 * tall, middle.y + 0.02), block, 2, hit);
}

Hit trace(vec3 o, vec3 d, int blocks)
{
    // A ray along a street would divide by zero, so no direction is smaller than this.
    vec3 along = mix(d, vec3(1e-5), lessThan(abs(d), vec3(1e-5)));
    Hit hit = Hit(1e9, vec3(0.0, 1.0, 0.0), ivec2(0), 3);
    if (along.y < 0.0) hit.t = -o.y / along.y;
    ivec2 block = ivec2(floor(o.xz)), way = ivec2(sign(along.xz));
    vec2 span = 1.0 / abs(along.xz);
    vec2 next = (vec2(block) + max(vec2(way), 0.0) - o.xz) / along.xz;
    float t = 0.0;
    for (int i = 0; i < blocks; i++)
    {
        // Above the highest roof there is nothing more to meet.
        if (t > hit.t || (along.y > 0.0 && o.y + t * along.y > 4.0)) break;
        towers(o, along, block, hit);
        if (next.x < next.y) { t = next.x; next.x += span.x; block.x += way.x; }
        else { t = next.y; next.y += span.y; block.y += way.y; }
    }
    return hit;
}

// Windows in floors and columns; far away, where one is smaller than a pixel, their mean.
vec3 windows(vec3 p, vec3 normal, ivec2 block, float t)
{
    float along = abs(normal.x) > 0.5 ? p.z : p.x;
    vec2 grid = vec2(along * 34.0, p.y * 26.0);
    vec2 cell = floor(grid), f = grid - cell;
    int face = int(normal.x * 2.0 + normal.z) + 7 * block.x + 131 * block.y;
    float floorIsLit = hash(ivec3(int(cell.y), face, 9)) < 0.12 ? 0.45 : 0.0;
    float lit = step(hash(ivec3(ivec2(cell), face)), LIT * hash(block, 8) + floorIsLit);
    float pane = smoothstep(0.12, 0.22, f.x) * (1.0 - smoothstep(0.78, 0.88, f.x)) * smoothstep(0.2, 0.32, f.y) * (1.0 - smoothstep(0.72, 0.85, f.y));
    vec3 lamp = mix(vec3(1.0, 0.62, 0.25), vec3(0.75, 0.88, 1.0), step(0.7, hash(ivec3(ivec2(cell) / 2, face + 5))));
    float size = t * 26.0 / iResolution.y;
    float mean = 0.38 * (0.5 * LIT + 0.05);
    return lamp * mix(lit * pane * (0.5 + hash(ivec3(ivec2(cell) + 50, face))), mean, smoothstep(0.35, 1.2, size)) * 1.5;
}

// Streets run between the blocks, with cars in both lanes: white lamps come, red ones go.
vec3 street(vec3 p, float t)
{
    vec3 color = vec3(0.012, 0.013, 0.02);
    for (int axis = 0; axis < 2; axis++)
    {
        vec2 q = axis == 0 ? p.xz : p.zx;
        int road = int(floor(q.x + 0.5));
        float aside = q.x - float(road);
        if (abs(aside) > 0.14) continue;
        float way = aside > 0.0 ? 1.0 : -1.0;
        float lane = abs(aside) - 0.05;
        float pace = 0.35 + 0.3 * hash(ivec2(road, axis), 20);
        float place = 5.0 * (q.y - way * pace * iTime);
        int car = int(floor(place));
        float ahead = place - float(car) - 0.5;
        float there = step(hash(ivec3(road, car, int(way) + 30)), 0.55);
        float blur = 0.004 + 0.6 * t / iResolution.y;
        float spot = exp(-square(lane / (0.012 + blur)) - square(ahead / (0.10 + 5.0 * blur)));
        color += there * spot * (way * (axis == 0 ? 1.0 : -1.0) > 0.0 ? vec3(2.2, 0.16, 0.06) : vec3(2.0, 1.7, 1.2)) * 0.014 / (0.010 + blur);
        // Lamps stand along every road and light it.
        float post = q.y * 4.0 - floor(q.y * 4.0) - 0.5;
        color += vec3(0.24, 0.13, 0.05) * exp(-20.0 * post * post) * (0.5 + 3.0 * abs(aside));
    }
    return color;
}

vec3 shade(vec3 o, vec3 d, Hit hit)
{
    vec3 p = o + hit.t * d, color;
    if (hit.part == 3) color = street(p, hit.t);
    else
    {
        float stone = 0.4 + 0.6 * hash(hit.block, 10);
        vec3 skylight = hit.normal.y > 0.5 ? 0.5 * NIGHT : 0.28 * mix(NIGHT, 0.8 * DUSK, max(dot(hit.normal, TOWARD_SUN), 0.0) + 0.1);
        color = stone * skylight;
        // Light from the streets climbs the lowest floors.
        color += 0.10 * vec3(1.0, 0.55, 0.25) * exp(-7.0 * p.y) * stone;
        if (hit.part < 2 && abs(hit.normal.y) < 0.5) color += windows(p, hit.normal, hit.block, hit.t);
        if (hit.part == 2) color += vec3(1.6, 0.08, 0.05) * (0.5 + 0.5 * sin(3.0 * iTime + 6.28 * hash(hit.block, 11)));
    }
    vec3 haze = mix(sky(normalize(vec3(d.x, 0.02, d.z))), vec3(0.10, 0.10, 0.16), 0.35 * exp(-p.y));
    return mix(color, haze, 1.0 - exp(-0.0011 * hit.t * hit.t - 0.004 * hit.t));
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 s = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    float t = iTime * SPEED;
    vec3 eye = vec3(0.9 * sin(0.21 * t) + 0.5, 2.05 + 0.35 * sin(0.17 * t + 1.0), t);
    float turn = 0.22 * sin(0.15 * t + 0.4), roll = -0.12 * cos(0.15 * t + 0.4);
    vec3 forward = normalize(vec3(sin(turn), -0.26, cos(turn)));
    vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), forward) + vec3(0.0, roll, 0.0)), up = cross(forward, right);
    vec3 d = normalize(s.x * right + s.y * up + 1.5 * forward);

    Hit hit = trace(eye, d, BLOCKS);
    vec3 color = hit.t > 60.0 ? sky(d) : shade(eye, d, hit);
    color = 1.0 - exp(-1.9 * color);
    vec2 from = fragCoord / iResolution.xy - 0.5;
    fragColor = vec4(pow(color * (1.0 - 0.6 * dot(from, from)), vec3(1.0 / 2.2)), 1.0);
}
