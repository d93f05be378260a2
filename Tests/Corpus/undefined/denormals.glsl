// A number that is denormal on the way.
// pixel: 9, 3
// other: 0.0
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = fragCoord.x * 1e-20 * 1e-20 * 1e20 * 1e20 / 16.0;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
