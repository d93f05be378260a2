// Two operands that change one variable.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  int i = int(fragCoord.x);
  int both = i++ * 4 + i++;
  fragColor = vec4(float(both) / 64.0, 0.5, 0.25, 1.0);
}
