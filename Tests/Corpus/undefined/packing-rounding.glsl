// A level that ends in a half.
// pixel: 9, 3
// other: 0.5625, 0.625
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = float(packUnorm4x8(vec4(fragCoord.x / 255.0)) & 255u) / 16.0;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
