// The left half computes with what was not written.
// pixel: 2, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float start;
  if (fragCoord.x > 8.0) start = 0.5;
  float a = start * 0.5;  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
