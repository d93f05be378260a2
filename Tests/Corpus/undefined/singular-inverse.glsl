// The inverse of a matrix that has none.
// pixel: 4, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  mat2 m = mat2(floor(fragCoord.x) - 4.0, 0.0, 0.0, 1.0);
  float a = inverse(m)[0][0] * 0.25;  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
