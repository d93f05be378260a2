float weights[COUNT];
#define ITERATIONS 8
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  for (int i = 0; i < ITERATIONS; i++) fragColor += texture(iChannel0, fragCoord / iResolution.xy) * SPEED;
}
