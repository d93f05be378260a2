// --drop-const
const mat3 TURN = inverse(mat3(2.0));
const float FIRST = TURN[0].x, COUNT = 3.0;
const int LENGTH = 2 * 2;
void mainImage(out vec4 fragColor, const in vec2 fragCoord) {
  float values[LENGTH];
  const float once = 1.0;
  fragColor = vec4(TURN * vec3(fragCoord, COUNT + FIRST), once) + float(values.length());
}
