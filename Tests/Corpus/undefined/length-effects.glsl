// The length of an array that an expression with a side effect makes.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = 0.25;
  int count = float[2](a = 0.75, 0.5).length();
  fragColor = vec4(a, 0.25 * float(count), 0.25, 1.0);
}
