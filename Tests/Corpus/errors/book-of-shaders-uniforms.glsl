void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec2 st = fragCoord / u_resolution.xy;
    fragColor = vec4(st, abs(sin(u_time)), 1.0);
}
