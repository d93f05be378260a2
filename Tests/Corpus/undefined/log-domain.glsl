// The logarithm of a negative number.
// pixel: 2, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = log(fragCoord.x - 8.0);  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
