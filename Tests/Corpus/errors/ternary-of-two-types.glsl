void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec3 color = uv.x > 0.5 ? vec3(1.0) : 0.0;
    fragColor = vec4(color, 1.0);
}
