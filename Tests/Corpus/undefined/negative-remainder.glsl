// The remainder of a negative number.
// pixel: 4, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  int a = (int(fragCoord.x) - 8) % 5;  // here
  fragColor = vec4(float(a) / 8.0, 0.5, 0.25, 1.0);
}
