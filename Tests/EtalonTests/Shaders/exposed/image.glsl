#define LEVEL 0.2 // Level, min=0., max=1.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = vec4(LEVEL);
}
