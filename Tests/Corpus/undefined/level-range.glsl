// The size of a level that the texture does not have.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = float(textureSize(iChannel0, int(fragCoord.x) + 20).x) / 64.0;  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
