// A derivative of something that bends.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = dFdx(fragCoord.x * fragCoord.y) / 16.0;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
