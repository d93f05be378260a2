// Median: the middle one of nine texels for each color, by exchanges.

void order(inout vec3 a, inout vec3 b)
{
    vec3 low = min(a, b);
    b = max(a, b);
    a = low;
}

vec3 at(ivec2 place)
{
    return texelFetch(iChannel0, clamp(place, ivec2(0), ivec2(iResolution.xy) - 1), 0).rgb;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    ivec2 p = ivec2(fragCoord);
    vec3 a = at(p + ivec2(-1, -1)), b = at(p + ivec2(0, -1)), c = at(p + ivec2(1, -1));
    vec3 d = at(p + ivec2(-1, 0)), e = at(p), f = at(p + ivec2(1, 0));
    vec3 g = at(p + ivec2(-1, 1)), h = at(p + ivec2(0, 1)), i = at(p + ivec2(1, 1));
    order(a, b); order(d, e); order(g, h);
    order(b, c); order(e, f); order(h, i);
    order(a, b); order(d, e); order(g, h);
    vec3 low = max(a, max(d, g));
    vec3 high = min(c, min(f, i));
    order(b, e); order(e, h); order(b, e);
    order(low, e); order(e, high); order(low, e);
    fragColor = vec4(e, 1.0);
}
