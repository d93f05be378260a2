// The first step of a frame; on the first frame, drops of the substance on a field of food.
float hash(uint n)
{
    n = (n ^ 61u) ^ (n >> 16);
    n *= 9u;
    n ^= n >> 4;
    n *= 668265261u;
    return float((n ^ (n >> 15)) >> 8) / 16777216.0;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    if (iFrame > 0)
    {
        fragColor = vec4(react(iChannel0, ivec2(fragCoord)), 0.0, 1.0);
        return;
    }
    float drop = 0.0;
    for (uint i = 0u; i < 24u; i++)
    {
        vec2 center = vec2(hash(3u * i), hash(3u * i + 1u)) * iResolution.xy;
        float radius = (0.008 + 0.02 * hash(3u * i + 2u)) * iResolution.y;
        drop = max(drop, step(distance(fragCoord, center), max(radius, 2.0)));
    }
    fragColor = vec4(1.0 - 0.5 * drop, 0.4 * drop, 0.0, 1.0);
}
