#define TURN(p, angle) ((p) * cos(angle))

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec2 q = TURN(uv);
    fragColor = vec4(q, 0.0, 1.0);
}
