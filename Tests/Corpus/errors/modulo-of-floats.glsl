void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float stripes = (uv.x * 10.0) % 2.0;
    fragColor = vec4(stripes);
}
