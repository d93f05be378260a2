// An index beyond the ends of an array.
// pixel: 9, 3
const float table[6] = float[6](0.1, 0.2, 0.3, 0.4, 0.5, 0.6);
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = table[int(fragCoord.x)];  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
