// Rain on a window: drops that slide down bend the picture behind them. A filter: it reads iChannel0.
// Try it on a photo of yours: etalon render samples/raindrops.glsl -i photo.jpg --frames 0-95 -r 24 -o 'out/rain.####.png'

#define DROPS 9.0
#define SPEED 0.35
#define BEND 0.09

vec3 random3(vec2 cell)
{
    uvec2 c = uvec2(ivec2(cell) + 32768);
    uint h = c.x * 2654435761u + c.y * 40503u;
    h = (h ^ (h >> 15)) * 2246822519u;
    uint h2 = (h ^ (h >> 13)) * 3266489917u;
    uint h3 = (h2 ^ (h2 >> 16)) * 668265263u;
    return vec3(uvec3(h, h2, h3) >> 8) / 16777216.0;
}

// The slope of one layer of drops: which way and how far the glass bends the light, and how wet it is.
vec3 layer(vec2 p, float t)
{
    vec2 grid = p * vec2(2.0, 1.0) * DROPS;
    float column = floor(grid.x);
    float columnSpeed = random3(vec2(column, 7.0)).x;
    grid.y += t * (0.6 + 1.8 * columnSpeed) + columnSpeed * 17.0;
    vec2 cell = floor(grid);
    vec3 r = random3(cell);
    vec2 q = fract(grid) - 0.5;
    float hurry = fract(t * (0.3 + r.z) + r.y);
    float slide = 0.34 * sin(6.2831853 * (hurry - 0.25 * sin(6.2831853 * hurry)));
    vec2 center = vec2((r.x - 0.5) * 0.5, slide * 0.8);
    vec2 d = (q - center) * vec2(1.0, 2.0);
    float radius = 0.12 + 0.16 * r.z;
    float drop = 1.0 - smoothstep(0.3 * radius, radius, length(d));
    float trail = (1.0 - smoothstep(0.0, radius * 0.7, abs(q.x - center.x))) * smoothstep(0.0, 0.1, q.y - center.y) * (1.0 - smoothstep(0.0, 0.5, q.y - center.y));
    return vec3(d * drop + vec2(q.x - center.x, 0.0) * trail * 0.5, max(drop, 0.35 * trail));
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec2 p = (fragCoord - 0.5 * iResolution.xy) / iResolution.y;
    float t = iTime * SPEED;
    vec3 wet = layer(p, t) + layer(p * 1.83 + 3.7, t * 1.3) * 0.7 + layer(p * 3.1 - 9.1, t * 0.4) * 0.5;

    // The dry glass is misted: an average of some places around, wider where it is drier.
    float mist = 0.014 * (1.0 - clamp(1.6 * wet.z, 0.0, 1.0));
    vec2 bent = uv - wet.xy * BEND * 4.0;
    vec2 edge = 0.5 / iResolution.xy;
    vec3 color = vec3(0.0);
    for (int tap = 0; tap < 16; tap++) {
        float angle = float(tap) * 2.39996323;
        float reach = sqrt((float(tap) + 0.5) / 16.0);
        vec2 place = bent + mist * reach * vec2(cos(angle), sin(angle)) * vec2(iResolution.y / iResolution.x, 1.0);
        color += texture(iChannel0, clamp(place, edge, 1.0 - edge)).rgb;
    }
    color /= 16.0;
    color = mix(color * vec3(0.86, 0.93, 1.0) + 0.035, color * 1.08, clamp(1.6 * wet.z, 0.0, 1.0));
    float highlight = smoothstep(0.05, 0.14, dot(wet.xy, vec2(-0.6, 0.8))) * wet.z;
    fragColor = vec4(color + 0.25 * highlight, 1.0);
}
