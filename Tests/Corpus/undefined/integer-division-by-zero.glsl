// An integer divided by 0.
// pixel: 4, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  int a = 7 / (int(fragCoord.x) - 4);  // here
  fragColor = vec4(float(a) / 8.0, 0.5, 0.25, 1.0);
}
