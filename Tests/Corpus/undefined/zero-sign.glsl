// The angle of a zero with a sign.
// pixel: 9, 3
// other: 0.1073, 0.8927
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float zero = (fragCoord.x - 9.5) * (fragCoord.y - 4.5);
  float a = 0.5 + atan(zero, -1.0) / 8.0;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
