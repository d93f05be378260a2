// 'ldexp' with an exponent below -126, and a product that is a normal number.
// pixel: 9, 3
// other: 0.0
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = ldexp(fragCoord.x * exp2(100.0), int(fragCoord.y) - 133);
  fragColor = vec4(a * exp2(26.0), 0.5, 0.25, 1.0);
}
