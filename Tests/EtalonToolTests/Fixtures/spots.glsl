// From the third frame on, the first column has no color: the root of a negative number is not one.
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float frame = iTime * 24.0;
  fragColor = vec4(sqrt(fragCoord.x - step(1.5, frame)), fragCoord.y / iResolution.y, 0.5, 1.0);
}
