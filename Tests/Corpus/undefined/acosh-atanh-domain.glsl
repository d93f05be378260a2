// 'acosh' of a number below 1.
// pixel: 2, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = acosh(fragCoord.x * 0.1);  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
