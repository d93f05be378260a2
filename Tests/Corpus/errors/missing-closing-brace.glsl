void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    for (int i = 0; i < 4; i++)
    {
        if (uv.x > 0.5) {
            uv *= 1.1;
    }
    fragColor = vec4(uv, 0.0, 1.0);
}
