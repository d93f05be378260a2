void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    if (uv.x > 0.5) {
        float edge = uv.x;
    }
    fragColor = vec4(edge);
}
