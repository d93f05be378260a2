void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    int steps = uv.x * 10.0;
    fragColor = vec4(float(steps));
}
