// 'asin' of a number above 1.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = asin(fragCoord.x * 0.2);  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
