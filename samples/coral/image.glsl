// The substance as a relief under one lamp.
const vec3 DEEP = vec3(0.02, 0.10, 0.18);
const vec3 FLESH = vec3(0.96, 0.42, 0.30);
const vec3 TIP = vec3(1.00, 0.93, 0.80);

float height(vec2 p) { return texture(iChannel0, p / iResolution.xy).y; }

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float h = height(fragCoord);
    vec2 slope = vec2(height(fragCoord + vec2(1.0, 0.0)) - height(fragCoord - vec2(1.0, 0.0)),
                      height(fragCoord + vec2(0.0, 1.0)) - height(fragCoord - vec2(0.0, 1.0)));
    vec3 normal = normalize(vec3(-4.0 * slope, 1.0));
    vec3 lamp = normalize(vec3(-0.5, 0.7, 0.6));
    vec3 color = mix(DEEP, FLESH, smoothstep(0.05, 0.25, h));
    color = mix(color, TIP, smoothstep(0.25, 0.42, h));
    color *= 0.35 + 0.75 * max(dot(normal, lamp), 0.0);
    color += 0.35 * pow(max(dot(reflect(-lamp, normal), vec3(0.0, 0.0, 1.0)), 0.0), 24.0) * smoothstep(0.1, 0.3, h);
    fragColor = vec4(sqrt(color), 1.0);
}
