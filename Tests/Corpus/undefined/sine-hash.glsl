// Noise of a magnified sine.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = fract(sin(fragCoord.x) * 43758.5453);  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
