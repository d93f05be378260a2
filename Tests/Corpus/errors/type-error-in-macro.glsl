#define ANGLE vec3(1.0)
#define TURN(p) (p + ANGLE)

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec2 q = TURN(uv);
    fragColor = vec4(q, 0.0, 1.0);
}
