// The smallest integer divided by -1.
// pixel: 4, 3
// other: 0.0, 0.1, 0.25, 0.5
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  int most = int(fragCoord.y) - 2147483647 - 4;
  int a = most / (-1 - abs(int(fragCoord.x) - 4));  // here
  fragColor = vec4(float(a) / -4294967296.0, 0.5, 0.25, 1.0);
}
