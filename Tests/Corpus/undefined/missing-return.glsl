// The left half gets a result that no 'return' gives.
// pixel: 2, 3
float shade(float x) {  // here
  if (x > 8.0) return x / 16.0;
}
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  fragColor = vec4(shade(fragCoord.x), 0.5, 0.25, 1.0);
}
