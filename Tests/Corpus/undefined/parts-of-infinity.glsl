// The exponent of infinity.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float big = fragCoord.x * 3e38;  // here
  int e;
  float part = frexp(big, e);
  fragColor = vec4(float(e) / 256.0, 0.5, 0.25, 1.0);
}
