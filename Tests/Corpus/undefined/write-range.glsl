// A write beyond the end of an array, and another variable.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float other[4] = float[4](0.1, 0.2, 0.3, 0.4);
  float table[4] = float[4](0.5, 0.6, 0.7, 0.8);
  table[int(fragCoord.x)] = 0.9;  // here
  float a = other[int(fragCoord.y) % 4] + table[int(fragCoord.y) % 4] * 0.25;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
