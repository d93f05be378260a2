void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec3 color = lerp(vec3(0.1), vec3(0.9), uv.x);
    float f = frac(uv.y * 10.0);
    fragColor = vec4(saturate(color * f), 1.0);
}
