// A determinant.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = determinant(mat3(fragCoord.x / 16.0, 0.1, 0.2, 0.3, 1.0, 0.4, 0.5, 0.6, 1.0));
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
