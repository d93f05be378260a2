#define SQUARE(type) type square(type x) { return x * x; }
SQUARE(float)
SQUARE(vec2)
float distance(vec2 a, float b) { return a.x - b; }
SQUARE(vec3) uniform float scale = 2.0;
const float ROOTS = pow(4.0, 0.5) + pow(9.0, 0.5);
#ifdef NEVER
float sum(float a) {
#else
float sum(vec2 a) {
#endif
  return a.x + a.y;
}
float[2] pair(float a) { return float[2](a, 1.0); }

SQUARE(vec4)
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  if (fragCoord.x < 1.0) discard;
  fragColor = square(vec4(fragCoord * scale * ROOTS, sum(fragCoord), distance(fragCoord, 1.0))) * pair(2.0)[0];
}
