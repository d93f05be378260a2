// Wheel: hue around a center, saturation outwards, petals and a gamma curve. An arc tangent, a power and comparisons.

vec3 hue(float turn)
{
    vec3 k = mod(vec3(0.0, 4.0, 2.0) + 6.0 * turn, 6.0);
    return clamp(abs(k - 3.0) - 1.0, 0.0, 1.0);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    float radius = length(p);
    float angle = atan(p.y, p.x) / 6.2831853;
    float petals = 0.75 + 0.15 * cos(6.2831853 * (5.0 * angle + 0.1 * iTime));
    vec3 color = mix(vec3(1.0), hue(angle + 0.05 * iTime), min(radius / petals, 1.0));
    color *= radius < petals ? 1.0 : 0.25;
    float ring = step(0.96, fract(6.0 * radius - 0.5 * iTime));
    fragColor = vec4(pow(mix(color, vec3(0.1), ring), vec3(0.4545)), 1.0);
}
