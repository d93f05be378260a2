// 'normalize' of a vector without length.
// pixel: 4, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = normalize(floor(fragCoord) - vec2(4.0, 3.0)).x;  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
