void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float w[3] = float[3](1.0, 2.0);
    fragColor = vec4(w[0]);
}
