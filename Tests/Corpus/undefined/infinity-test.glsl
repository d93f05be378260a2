// 'isinf' of infinity.
// pixel: 9, 3
// other: 0.75
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float number = uintBitsToFloat(0x7f7ffff7u + uint(fragCoord.x));
  float a = isinf(number) ? 0.25 : 0.75;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
