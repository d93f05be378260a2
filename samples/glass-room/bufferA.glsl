// Adds the light of a few paths for each pixel to what came before; w counts the paths.
#define PATHS 2
#define BOUNCES 6
const float PI = 3.14159265;

uint state;

float random()
{
    state = state * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return float(((word >> 22u) ^ word) >> 8) / 16777216.0;
}

struct Hit { float t; vec3 normal; vec3 color; float light; int kind; };   // kinds: 0 matte, 1 mirror, 2 glass

void wall(vec3 o, vec3 d, int axis, float at, vec3 color, inout Hit hit)
{
    float t = (at - o[axis]) / d[axis];
    if (!(t > 1e-4 && t < hit.t)) return;
    vec3 p = o + t * d;
    if (any(greaterThan(abs(p), vec3(3.201, 2.001, 2.001)))) return;
    vec3 normal = vec3(0.0);
    normal[axis] = -sign(d[axis]);
    bool isLamp = axis == 1 && at > 0.0 && abs(p.x) < 1.2 && abs(p.z - 0.2) < 0.8;
    hit = Hit(t, normal, color, isLamp ? 9.0 : 0.0, 0);
}

void ball(vec3 o, vec3 d, vec3 center, float radius, int kind, vec3 color, inout Hit hit)
{
    vec3 m = o - center;
    float b = dot(m, d), c = dot(m, m) - radius * radius, root = b * b - c;
    if (root < 0.0) return;
    root = sqrt(root);
    float t = -b - root > 1e-4 ? -b - root : -b + root;
    if (t > 1e-4 && t < hit.t) hit = Hit(t, (m + t * d) / radius, color, 0.0, kind);
}

Hit trace(vec3 o, vec3 d)
{
    Hit hit = Hit(1e9, vec3(0.0), vec3(0.0), 0.0, 0);
    wall(o, d, 0, -3.2, vec3(0.80, 0.28, 0.16), hit);
    wall(o, d, 0, 3.2, vec3(0.18, 0.45, 0.62), hit);
    wall(o, d, 1, -2.0, vec3(0.78), hit);
    wall(o, d, 1, 2.0, vec3(0.78), hit);
    wall(o, d, 2, 2.0, vec3(0.78), hit);
    ball(o, d, vec3(-1.35, -1.20, 0.85), 0.80, 1, vec3(0.95, 0.90, 0.80), hit);
    ball(o, d, vec3(1.00, -1.30, -0.35), 0.70, 2, vec3(1.0), hit);
    return hit;
}

vec3 around(vec3 n)
{
    float z = 2.0 * random() - 1.0, angle = 2.0 * PI * random(), r = sqrt(max(0.0, 1.0 - z * z));
    return normalize(n + 0.999 * vec3(r * cos(angle), r * sin(angle), z));
}

vec3 throughGlass(vec3 d, vec3 n)
{
    bool enters = dot(d, n) < 0.0;
    vec3 facing = enters ? n : -n;
    float ratio = enters ? 1.0 / 1.5 : 1.5;
    float cosine = min(-dot(d, facing), 1.0);
    float fresnel = 0.04 + 0.96 * pow(1.0 - cosine, 5.0);
    vec3 bent = refract(d, facing, ratio);
    return dot(bent, bent) < 0.5 || random() < fresnel ? reflect(d, facing) : bent;
}

vec3 light(vec3 o, vec3 d)
{
    vec3 sum = vec3(0.0), weight = vec3(1.0);
    for (int bounce = 0; bounce < BOUNCES; bounce++)
    {
        Hit hit = trace(o, d);
        if (hit.t > 1e8) break;
        if (hit.light > 0.0) return sum + weight * hit.light * vec3(1.0, 0.9, 0.75);
        weight *= hit.color;
        o += hit.t * d;
        if (hit.kind == 0) d = around(hit.normal);
        else if (hit.kind == 1) d = reflect(d, hit.normal);
        else d = throughGlass(d, hit.normal);
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
        sum += vec4(light(vec3(0.0, 0.0, -5.4), normalize(vec3(p, 1.95))), 1.0);
    }
    fragColor = sum;
}
