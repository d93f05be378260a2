// A number that is too large for a float.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float big = fragCoord.x * 3e38;  // here
  float a = 0.5 + (big - big);
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
