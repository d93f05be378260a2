// Only the first two frames write; later ones keep what was there.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  if (iFrame > 1) discard;
  fragColor = vec4(float(iFrame + 1) / 255.0, fragCoord / 255.0, 1.0);
}
