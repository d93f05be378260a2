#define LEVEL 0.5
const vec3 TINT = vec3(1.0, 0.5, 0.25);

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    fragColor = vec4(vec3(uv, LEVEL) * TINT, 1.0) + 0.1 * sin(iTime);
}
