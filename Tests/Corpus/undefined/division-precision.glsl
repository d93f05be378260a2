// A quotient, a hundred thousand times as large.
// pixel: 9, 3
// off: 0.03
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = 0.5 + (fragCoord.x / max(fragCoord.y - 0.5, 1.0) - 3.1666667) * 1e5;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
