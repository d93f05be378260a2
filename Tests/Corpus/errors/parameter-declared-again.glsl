float circle(vec2 p)
{
    vec2 p = p - 0.5;
    return length(p);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    fragColor = vec4(circle(uv));
}
