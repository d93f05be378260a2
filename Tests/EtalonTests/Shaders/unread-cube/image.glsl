// Mentions a cube map in a macro that no code uses.
#define SKY(direction) texture(iChannel0, direction)
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = vec4(0.2, 0.4, 0.6, 1.0);
}
