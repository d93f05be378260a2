void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec4 sum = texelFetch(iChannel0, ivec2(fragCoord), 0);
    vec3 color = sum.rgb / max(sum.w, 1.0);
    color = color * (1.0 + color / 9.0) / (1.0 + color);
    fragColor = vec4(pow(color, vec3(1.0 / 2.2)), 1.0);
}
