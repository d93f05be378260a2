// A write beyond the end of a vector.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec4 v = vec4(0.1, 0.2, 0.3, 0.4);
  v[int(fragCoord.x)] = 0.9;  // here
  fragColor = vec4(v.x, 0.5, 0.25, 1.0);
}
