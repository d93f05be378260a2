// One spark for each pixel of the lowest row: place (height of the picture is 1) in xy, speed in zw.
vec4 born(int spark)
{
    uint seed = uint(spark) * 977u + uint(iFrame) * 7919u;
    float angle = 6.2831853 * hash(seed);
    float x = 0.5 * iResolution.x / iResolution.y + 0.25 * (hash(seed + 1u) - 0.5);
    return vec4(x, 0.06, 0.12 * cos(angle), 0.25 + 0.35 * hash(seed + 2u));
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    int spark = int(fragCoord.x);
    fragColor = vec4(0.0);
    if (fragCoord.y > 1.0 || spark >= SPARKS) return;
    float age = mod(iTime + LIFE * float(spark) / float(SPARKS), LIFE);
    vec4 state = texelFetch(iChannel0, ivec2(spark, 0), 0);
    if (iFrame == 0 || age < iTimeDelta) state = born(spark);
    if (iFrame == 0) state.xy += age * 0.12 * vec2(state.z, state.w);
    float swirl = sin(5.0 * state.y - 1.3 * iTime) + 0.6 * sin(11.0 * state.x + 7.0 * state.y + 0.9 * iTime);
    state.zw += iTimeDelta * vec2(0.42 * swirl, 0.16 + 0.20 * cos(9.0 * state.x + 1.1 * iTime));
    state.zw *= exp(-0.6 * iTimeDelta);
    state.xy += iTimeDelta * state.zw;
    fragColor = state;
}
