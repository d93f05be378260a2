// Lengths are heights of the picture, and velocities are heights a second, so that every size flows alike.
#define CURL 0.22
#define FADE 0.006
#define JETS 4
const float STEP = 1.0 / 60.0;

// A jet: where it is, which way it blows, and the color of its ink.
struct Jet { vec2 place; vec2 blow; vec3 ink; };

Jet jet(int number, float time, float aspect)
{
    float n = float(number), angle = 1.5707963 * n + 0.35 * sin(0.7 * time + 1.9 * n) + 0.785398;
    vec2 outward = vec2(cos(angle), sin(angle));
    Jet result;
    result.place = vec2(0.5 * aspect, 0.5) + vec2(0.42 * aspect, 0.36) * outward;
    float turn = 0.55 * sin(1.3 * time + 2.4 * n);
    vec2 inward = -normalize(vec2(aspect, 1.0) * outward);
    result.blow = vec2(inward.x * cos(turn) - inward.y * sin(turn), inward.x * sin(turn) + inward.y * cos(turn));
    result.ink = 0.5 + 0.5 * cos(vec3(0.0, 1.4, 2.9) + 1.7 * n + 0.25 * time);
    return result;
}

// How much of a jet is felt at a distance.
float reach(vec2 p, vec2 center, float radius) { vec2 d = (p - center) / radius; return exp(-dot(d, d)); }
