float halo(vec2 p)
{
    float glow = 0.1 / length(p);
    return glow;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    fragColor = vec4(glow * uv, 0.0, 1.0);
}
