// 'atan(0, 0)'.
// pixel: 4, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = atan(floor(fragCoord.x) - 4.0, floor(fragCoord.y) - 3.0);  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
