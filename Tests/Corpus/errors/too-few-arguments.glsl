float circle(vec2 p, float radius)
{
    return length(p) - radius;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float d = circle(uv);
    fragColor = vec4(d);
}
