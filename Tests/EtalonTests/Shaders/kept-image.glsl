// Every frame draws one column; the others keep what they have.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  if (int(fragCoord.x) != iFrame) discard;
  fragColor = vec4(float(iFrame + 1) / 255.0, 0.0, 0.0, 1.0);
}
