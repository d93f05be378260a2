// A float that no integer holds.
// pixel: 9, 3
// other: 0.0, 0.1, 0.25, 0.5
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  int a = int(fragCoord.x * 1e9);  // here
  fragColor = vec4(float(a) / 4294967296.0, 0.5, 0.25, 1.0);
}
