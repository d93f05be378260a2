// An angle, a hundred times as large.
// pixel: 9, 3
// off: 0.02
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = 0.5 + (atan(fragCoord.x) - 1.4659194) * 100.0;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
