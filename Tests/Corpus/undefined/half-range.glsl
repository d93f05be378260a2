// A number that is too large for a half.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  uint bits = packHalf2x16(vec2(fragCoord.x * 1e4, 0.0));  // here
  float a = unpackHalf2x16(bits).x;
  fragColor = vec4(a / 131072.0, 0.5, 0.25, 1.0);
}
