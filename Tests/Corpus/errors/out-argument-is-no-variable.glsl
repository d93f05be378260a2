void turn(inout vec2 p)
{
    p = p.yx;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    turn(uv * 2.0);
    fragColor = vec4(uv, 0.0, 1.0);
}
