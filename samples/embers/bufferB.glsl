// What glowed before rises a little and cools; the sparks are drawn on top as short strokes.
float stroke(vec2 p, vec2 from, vec2 to)
{
    vec2 line = to - from;
    float along = clamp(dot(p - from, line) / max(dot(line, line), 1e-9), 0.0, 1.0);
    return distance(p, from + along * line);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = fragCoord / iResolution.y;
    vec2 from = fragCoord - vec2(1.2 * sin(9.0 * p.y + 2.0 * iTime), 0.9);
    float glow = iFrame == 0 ? 0.0 : texture(iChannel1, from / iResolution.xy).x * exp(-2.2 * iTimeDelta);
    for (int spark = 0; spark < SPARKS; spark++)
    {
        vec4 state = texelFetch(iChannel0, ivec2(spark, 0), 0);
        float width = 0.0016 + 0.0022 * hash(uint(spark) * 31u);
        float reach = stroke(p, state.xy - iTimeDelta * state.zw, state.xy);
        glow = max(glow, 1.0 - smoothstep(0.5 * width, 2.0 * width, reach));
    }
    fragColor = vec4(glow, 0.0, 0.0, 1.0);
}
