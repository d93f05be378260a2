float circle(vec2 p, float radius = 0.5)
{
    return length(p) - radius;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    fragColor = vec4(circle(uv));
}
