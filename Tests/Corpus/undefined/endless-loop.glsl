// A loop that does not end.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = 0.0;
  while (a < fragCoord.x) { a = min(a + 1.0, 5.0); }  // here
  fragColor = vec4(a / 16.0, 0.5, 0.25, 1.0);
}
