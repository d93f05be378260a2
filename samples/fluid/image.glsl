// The ink lights up like smoke under a lamp at the upper left: its thickness is a relief.
vec3 ink(vec2 at) { return texture(iChannel0, at / iResolution.xy).rgb; }
float thickness(vec2 at) { return dot(ink(at), vec3(0.4)); }

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec3 color = ink(fragCoord);
    vec2 slope = vec2(thickness(fragCoord + vec2(1.0, 0.0)) - thickness(fragCoord - vec2(1.0, 0.0)),
                      thickness(fragCoord + vec2(0.0, 1.0)) - thickness(fragCoord - vec2(0.0, 1.0)));
    vec3 normal = normalize(vec3(-2.5 * slope, 1.0));
    float lit = max(dot(normal, normalize(vec3(-0.5, 0.6, 0.8))), 0.0);
    color *= 0.25 + 1.05 * lit;
    color += 0.25 * pow(lit, 20.0) * smoothstep(0.1, 0.6, thickness(fragCoord));
    color += mix(vec3(0.010, 0.014, 0.030), vec3(0.030, 0.020, 0.045), uv.y);
    color = 1.0 - exp(-1.5 * color);
    fragColor = vec4(pow(color, vec3(1.0 / 2.2)), 1.0);
}
