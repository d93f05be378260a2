// A sine beyond pi.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = 0.5 + 0.5 * sin(fragCoord.x);
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
