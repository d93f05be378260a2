// A texel beyond the edges: its alpha may be 0 or 1.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = texelFetch(iChannel0, ivec2(fragCoord) + 4096, 0).a;  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
