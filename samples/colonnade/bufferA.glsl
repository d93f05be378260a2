// Adds the light of a few paths for each pixel to what came before; w counts the paths.
// Each matte point asks the sun directly; what comes from the sky is found by chance.
#define PATHS 2
#define BOUNCES 4
#define COLUMNS 7
#define SUN_HEIGHT 0.36
#define SUN_SIDE 0.62
#define HAZE 0.012
const float PI = 3.14159265;
const float SPACING = 2.6;
const vec3 SUN_COLOR = vec3(5.2, 3.6, 2.1);

uint state;

float random()
{
    state = state * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return float(((word >> 22u) ^ word) >> 8) / 16777216.0;
}

float hash(ivec2 cell)
{
    uint h = uint(cell.x + 4096) * 1664525u + uint(cell.y + 4096) * 22695477u;
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    return float((h ^ (h >> 16)) >> 8) / 16777216.0;
}

vec3 towardSun() { return normalize(vec3(SUN_SIDE, SUN_HEIGHT, 1.0)); }

// Blue above, warm around the sun, pale at the horizon.
vec3 sky(vec3 d)
{
    float up = max(d.y, 0.0), near = max(dot(d, towardSun()), 0.0);
    vec3 color = mix(vec3(0.95, 0.72, 0.52), vec3(0.16, 0.34, 0.72), 1.0 - exp(-4.5 * up));
    color += vec3(1.1, 0.55, 0.22) * (0.35 * pow(near, 6.0) + 0.8 * pow(near, 90.0));
    return color;
}

struct Hit { float t; vec3 normal; vec3 color; int kind; };   // kinds: 0 matte, 1 water, 2 gold

void box(vec3 o, vec3 d, vec3 low, vec3 high, vec3 color, inout Hit hit)
{
    // A ray along a face would divide by zero, so no direction is smaller than this.
    vec3 along = mix(d, vec3(1e-6), lessThan(abs(d), vec3(1e-6)));
    vec3 a = (low - o) / along, b = (high - o) / along, first = min(a, b), last = max(a, b);
    float enter = max(max(first.x, first.y), first.z), leave = min(min(last.x, last.y), last.z);
    if (enter > leave || enter < 1e-3 || enter > hit.t) return;
    vec3 face = step(vec3(enter), first);
    hit = Hit(enter, -normalize(face * sign(along)), color, 0);
}

void ball(vec3 o, vec3 d, vec3 center, float radius, int kind, vec3 color, inout Hit hit)
{
    vec3 m = o - center;
    float b = dot(m, d), root = b * b - dot(m, m) + radius * radius;
    if (root < 0.0) return;
    float t = -b - sqrt(max(root, 0.0));
    if (t > 1e-3 && t < hit.t) hit = Hit(t, (m + t * d) / radius, color, kind);
}

// An upright column with flutes: the flutes only bend the normal.
void column(vec3 o, vec3 d, vec2 center, float radius, float top, vec3 color, inout Hit hit)
{
    vec2 m = o.xz - center;
    float a = dot(d.xz, d.xz), b = dot(m, d.xz), root = b * b - a * (dot(m, m) - radius * radius);
    if (a < 1e-6 || root < 0.0) return;
    float t = (-b - sqrt(max(root, 0.0))) / a;
    if (t < 1e-3 || t > hit.t) return;
    float y = o.y + t * d.y;
    if (y < 0.0 || y > top) return;
    vec2 n = (m + t * d.xz) / radius;
    float flute = 0.45 * cos(20.0 * atan(n.y, n.x));
    hit = Hit(t, normalize(vec3(n.x - flute * n.y, 0.0, n.y + flute * n.x)), color, 0);
}

void ground(vec3 o, vec3 d, inout Hit hit)
{
    if (abs(d.y) < 1e-6) return;
    float t = -o.y / d.y;
    if (t < 1e-3 || t > hit.t) return;
    vec2 p = o.xz + t * d.xz;
    bool isPool = abs(p.x) < 1.35 && p.y > -1.6 && p.y < 16.5;
    if (isPool)
    {
        // Calm water: slow waves, from three directions.
        vec2 slope = 0.006 * vec2(cos(5.1 * p.x + 2.3 * p.y) + cos(3.7 * p.x - 6.1 * p.y), cos(2.3 * p.x + 4.9 * p.y) + cos(9.0 * p.y));
        hit = Hit(t, normalize(vec3(-slope.x, 1.0, -slope.y)), vec3(0.05, 0.16, 0.17), 1);
        return;
    }
    bool isPaved = abs(p.x) < 4.6 && p.y > -8.0 && p.y < 19.0;
    vec3 color = vec3(0.42, 0.40, 0.20);
    if (isPaved)
    {
        vec2 tile = p / 0.9, cell = floor(tile);
        vec2 edge = min(tile - cell, 1.0 - tile + cell);
        color = mix(vec3(0.58, 0.47, 0.37), vec3(0.76, 0.67, 0.56), hash(ivec2(cell)));
        if (min(edge.x, edge.y) < 0.025) color *= 0.5;
    }
    else color *= 0.75 + 0.5 * hash(ivec2(floor(9.0 * p)));
    hit = Hit(t, vec3(0.0, 1.0, 0.0), color, 0);
}

Hit trace(vec3 o, vec3 d)
{
    Hit hit = Hit(1e9, vec3(0.0), vec3(0.0), 0);
    ground(o, d, hit);
    const vec3 stone = vec3(0.80, 0.74, 0.66);
    float end = SPACING * float(COLUMNS - 1) + 0.55;
    for (int side = -1; side <= 1; side += 2)
    {
        float x = 2.7 * float(side);
        // Columns lie in a row, so rays that miss the room around them need not look at each.
        Hit around = Hit(hit.t, vec3(0.0), vec3(0.0), 0);
        vec3 low = vec3(x - 0.6, 0.0, -0.6), high = vec3(x + 0.6, 4.5, end + 0.1);
        bool isInside = all(greaterThan(o, low)) && all(lessThan(o, high));
        box(o, d, low, high, vec3(0.0), around);
        if (!isInside && around.t == hit.t) continue;
        box(o, d, vec3(x - 0.55, 3.75, -0.55), vec3(x + 0.55, 4.3, end), stone, hit);
        box(o, d, vec3(x - 0.50, 0.0, -0.55), vec3(x + 0.50, 0.12, end), stone, hit);
        for (int i = 0; i < COLUMNS; i++)
        {
            vec2 center = vec2(x, SPACING * float(i));
            column(o, d, center, 0.31, 3.6, stone, hit);
            box(o, d, vec3(center.x - 0.42, 3.5, center.y - 0.42), vec3(center.x + 0.42, 3.76, center.y + 0.42), stone, hit);
        }
    }
    box(o, d, vec3(-4.6, 0.0, 18.2), vec3(4.6, 0.35, 19.0), stone, hit);
    ball(o, d, vec3(0.0, 1.75, 18.0), 1.4, 2, vec3(1.0, 0.78, 0.42), hit);
    ball(o, d, vec3(-1.75, 0.42, 2.2), 0.42, 2, vec3(0.95, 0.92, 0.88), hit);
    ball(o, d, vec3(1.72, 0.30, 1.1), 0.30, 0, vec3(0.70, 0.16, 0.10), hit);
    ball(o, d, vec3(1.70, 0.24, 1.75), 0.24, 0, vec3(0.10, 0.32, 0.45), hit);
    return hit;
}

vec3 onBall()
{
    float z = 2.0 * random() - 1.0, angle = 2.0 * PI * random(), r = sqrt(max(0.0, 1.0 - z * z));
    return vec3(r * cos(angle), r * sin(angle), z);
}

vec3 light(vec3 o, vec3 d)
{
    vec3 sum = vec3(0.0), weight = vec3(1.0);
    bool seesSun = true;
    for (int bounce = 0; bounce < BOUNCES; bounce++)
    {
        Hit hit = trace(o, d);
        // Haze hides what is far behind the color of the sky at the horizon.
        float clear = hit.t > 1e8 ? 1.0 : exp(-HAZE * hit.t);
        sum += weight * (1.0 - clear) * sky(normalize(vec3(d.x, 0.02, d.z)));
        weight *= clear;
        if (hit.t > 1e8)
        {
            sum += weight * sky(d);
            if (seesSun && dot(d, towardSun()) > 0.9992) sum += weight * 4.0 * SUN_COLOR;
            return sum;
        }
        o += hit.t * d;
        if (hit.kind == 1)
        {
            float fresnel = 0.02 + 0.98 * pow(clamp(1.0 + dot(d, hit.normal), 0.0, 1.0), 5.0);
            if (random() < fresnel) { d = reflect(d, hit.normal); seesSun = true; d.y = abs(d.y); continue; }
        }
        if (hit.kind == 2)
        {
            weight *= hit.color;
            d = normalize(reflect(d, hit.normal) + 0.03 * onBall());
            seesSun = true;
            continue;
        }
        weight *= hit.color;
        vec3 sun = normalize(towardSun() + 0.02 * onBall());
        float facing = dot(sun, hit.normal);
        if (facing > 0.0 && trace(o + 1e-3 * hit.normal, sun).t > 1e8) sum += weight * facing * SUN_COLOR;
        o += 1e-3 * hit.normal;
        d = normalize(hit.normal + 0.999 * onBall());
        seesSun = false;
    }
    return sum;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    state = uint(fragCoord.x) * 1973u + uint(fragCoord.y) * 9277u + uint(iFrame) * 26699u;
    random();
    vec4 sum = iFrame == 0 ? vec4(0.0) : texelFetch(iChannel0, ivec2(fragCoord), 0);
    for (int path = 0; path < PATHS; path++)
    {
        vec2 p = (2.0 * (fragCoord + vec2(random(), random()) - 0.5) - iResolution.xy) / iResolution.y;
        vec3 eye = vec3(-0.6, 1.75, -5.4), forward = normalize(vec3(0.06, -0.03, 1.0));
        vec3 right = normalize(vec3(forward.z, 0.0, -forward.x)), up = cross(forward, right);
        vec3 d = normalize(p.x * right + p.y * up + 1.75 * forward);
        sum += vec4(min(light(eye, d), vec3(12.0)), 1.0);
    }
    fragColor = sum;
}
