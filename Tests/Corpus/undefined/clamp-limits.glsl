// 'clamp' with the limits in the wrong order.
// pixel: 4, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = clamp(fragCoord.x / 16.0, 0.75, 0.25);  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
