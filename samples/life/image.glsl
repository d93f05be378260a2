// Young cells are white, then gold, red and violet; old ones are a calm blue. The dead leave embers of the color that they had.
vec3 colorOf(float age)
{
    float a = log2(1.0 + age);
    vec3 color = mix(vec3(1.00, 0.97, 0.85), vec3(1.00, 0.70, 0.20), smoothstep(0.0, 1.5, a));
    color = mix(color, vec3(0.90, 0.22, 0.25), smoothstep(1.5, 3.0, a));
    color = mix(color, vec3(0.52, 0.22, 0.75), smoothstep(3.0, 4.5, a));
    return mix(color, vec3(0.16, 0.48, 0.80), smoothstep(4.5, 6.5, a));
}

// The light of one cell at a place inside of it or near it.
vec3 glow(ivec2 cell, vec2 from)
{
    ivec2 size = field(iResolution.xy);
    vec4 state = texelFetch(iChannel0, (cell + size) % size, 0);
    float beat = float(iFrame % PACE + 1) / float(PACE);
    vec2 edge = max(abs(from) - 0.22, 0.0);
    float reach = length(edge);
    float body = 1.0 - smoothstep(0.12, 0.24, reach), halo = exp(-5.0 * reach);
    if (state.x > 0.5) return colorOf(state.y) * (body + 0.16 * halo);
    float ember = exp(-0.07 * (state.y + beat));
    return 0.22 * ember * ember * colorOf(state.z + 6.0) * (body + 0.3 * halo);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 place = fragCoord / float(CELL);
    ivec2 cell = ivec2(place);
    vec3 color = vec3(0.0022, 0.0026, 0.0065);
    if (all(lessThan(cell, field(iResolution.xy))))
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) color += glow(cell + ivec2(x, y), place - vec2(cell + ivec2(x, y)) - 0.5);
    color = 1.0 - exp(-1.7 * color);
    fragColor = vec4(pow(color, vec3(1.0 / 2.2)), 1.0);
}
