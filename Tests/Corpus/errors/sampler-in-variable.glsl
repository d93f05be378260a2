void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    sampler2D s = iChannel0;
    fragColor = texture(s, uv);
}
