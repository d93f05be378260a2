#define TURN(p) (mat2(cos(angle), sin(angle), -sin(angle), cos(angle)) * (p))

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec2 q = TURN(uv);
    fragColor = vec4(q, 0.0, 1.0);
}
