#define TWICE(p) ((p) * 2.0)

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec2 q = TWICE(uvv);
    fragColor = vec4(q, 0.0, 1.0);
}
