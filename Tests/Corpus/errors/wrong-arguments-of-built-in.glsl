void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float d = smoothstep(0.4, uv);
    vec3 c = mix(vec3(0.0), uv, d);
    fragColor = vec4(c, 1.0);
}
