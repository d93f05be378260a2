// A product that is subtracted from without being rounded.
// pixel: 9, 3
// other: 0.705
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float x = 1.0 + fragCoord.x * 9.5367431640625e-7;
  float a = (x * x - (1.0 + fragCoord.x * 1.9073486328125e-6)) * 8589934592.0;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
