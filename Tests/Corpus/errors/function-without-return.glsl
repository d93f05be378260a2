float circle(vec2 p)
{
    float d = length(p) - 0.5;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    fragColor = vec4(circle(uv));
}
