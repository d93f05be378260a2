// A macro mentions what nothing reads.
#define SIZE iResolution
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = vec4(0.0, 1.0, 0.0, 1.0);
}
