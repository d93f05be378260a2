void turn(vec2 p)
{
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float d = turn(uv);
    fragColor = vec4(d);
}
