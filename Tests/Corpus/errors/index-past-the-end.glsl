void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float w[3];
    w[0] = uv.x;
    w[3] = uv.y;
    fragColor = vec4(w[0]);
}
