// 'ldexp' with an exponent above 128.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = ldexp(1e-30, int(fragCoord.x) + 120);  // here
  fragColor = vec4(a * 1e-9, 0.5, 0.25, 1.0);
}
