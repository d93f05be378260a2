// The left half does not write the result.
// pixel: 2, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {  // here
  if (fragCoord.x > 8.0) fragColor = vec4(0.5);
}
