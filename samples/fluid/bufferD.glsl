// The ink: it goes where the water goes.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float height = iResolution.y, aspect = iResolution.x / height;
    vec2 pixel = 1.0 / iResolution.xy, uv = fragCoord * pixel, p = fragCoord / height;
    float right = texture(iChannel1, uv + vec2(pixel.x, 0.0)).x, left = texture(iChannel1, uv - vec2(pixel.x, 0.0)).x;
    float above = texture(iChannel1, uv + vec2(0.0, pixel.y)).x, below = texture(iChannel1, uv - vec2(0.0, pixel.y)).x;
    vec2 velocity = texture(iChannel0, uv).xy - 0.5 * vec2(right - left, above - below);
    vec3 ink = iFrame == 0 ? vec3(0.0) : (1.0 - FADE) * texture(iChannel2, uv - velocity * pixel).rgb;
    for (int number = 0; number < JETS; number++)
    {
        Jet j = jet(number, iTime, aspect);
        ink = mix(ink, 1.6 * j.ink, 0.4 * reach(p, j.place, 0.03));
    }
    if (iMouse.z > 0.0) ink = mix(ink, vec3(1.8), 0.3 * reach(p, iMouse.xy / height, 0.03));
    fragColor = vec4(ink, 1.0);
}
