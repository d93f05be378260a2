// 'mod' of a multiple.
// pixel: 9, 3
// other: 0.75
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = mod(fragCoord.x - 0.5, max(fragCoord.y - 0.5, 1.0)) / 4.0;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
