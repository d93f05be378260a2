// 'mod' by 0.
// pixel: 4, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = mod(fragCoord.x, floor(fragCoord.x) - 4.0);  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
