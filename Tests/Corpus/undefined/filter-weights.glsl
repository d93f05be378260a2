// A texture between its texels.
// pixel: 9, 3
// off: 0.003
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = texture(iChannel0, (fragCoord + 0.3) / iResolution.xy).r;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
