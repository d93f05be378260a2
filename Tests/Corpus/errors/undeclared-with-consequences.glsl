void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec3 p = rayOrigin + 2.0 * uv;
    vec3 q = rayOrigin.xyz * 3.0;
    fragColor = vec4(p + q, 1.0);
}
