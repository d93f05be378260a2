/*{ "ETALON": 1, "DESCRIPTION": "Numbers that may have half of their bits; made so that the word stands nowhere in the text." }*/
// pixel: 9, 3
#define MEDIUM(a, b) a##b
vec4 imageKernel(vec2 position) {
  MEDIUM(medi, ump) float a = 2048.0 + position.x * 0.0625;
  return vec4(a - 2048.0, 0.5, 0.25, 1.0);
}
