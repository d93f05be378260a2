// The mean of all paths, as a camera would show it: bright parts lose their color slowly.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec4 sum = texelFetch(iChannel0, ivec2(fragCoord), 0);
    vec3 color = 0.85 * sum.rgb / max(sum.w, 1.0);
    vec2 from = fragCoord / iResolution.xy - 0.5;
    color *= 1.0 - 0.7 * dot(from, from);
    color = color * (1.0 + color / 16.0) / (1.0 + color);
    color = pow(color, vec3(1.0 / 2.2));
    fragColor = vec4(mix(color, color * color * (3.0 - 2.0 * color), 0.35), 1.0);
}
