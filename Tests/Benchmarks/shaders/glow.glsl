// Glow: seventeen texels in a cross, of which only the bright part is added.

ivec2 inside(ivec2 at)
{
    return clamp(at, ivec2(0), ivec2(iResolution.xy) - 1);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    ivec2 at = ivec2(fragCoord);
    vec3 color = texelFetch(iChannel0, at, 0).rgb;
    vec3 sum = max(color - 0.6, 0.0);
    for (int i = 1; i <= 4; i++) {
        float weight = exp(-0.3 * float(i * i));
        vec3 beside = max(texelFetch(iChannel0, inside(at + ivec2(2 * i, 0)), 0).rgb - 0.6, 0.0)
                    + max(texelFetch(iChannel0, inside(at - ivec2(2 * i, 0)), 0).rgb - 0.6, 0.0);
        vec3 above = max(texelFetch(iChannel0, inside(at + ivec2(0, 2 * i)), 0).rgb - 0.6, 0.0)
                   + max(texelFetch(iChannel0, inside(at - ivec2(0, 2 * i)), 0).rgb - 0.6, 0.0);
        sum += weight * (beside + above);
    }
    fragColor = vec4(min(color + 0.5 * sum, 1.0), 1.0);
}
