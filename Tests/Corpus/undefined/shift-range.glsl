// A shift by more than all bits.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  int a = 1 << (int(fragCoord.x) + 28);  // here
  fragColor = vec4(float(a) / 4096.0, 0.5, 0.25, 1.0);
}
