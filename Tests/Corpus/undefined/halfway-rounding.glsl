// Halves may be rounded up or down.
// pixel: 9, 3
// other: 0.5625
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = round(fragCoord.x) / 16.0;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
