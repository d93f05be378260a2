#define SPEED 2.0;

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float d = SPEED * uv.x;
    fragColor = vec4(d);
}
