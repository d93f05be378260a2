// Two results for one variable.
// pixel: 9, 3
void two(out float a, out float b) {
  a = 0.25;
  b = 0.75;
}
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float both;
  two(both, both);  // here
  fragColor = vec4(both, 0.5, 0.25, 1.0);
}
