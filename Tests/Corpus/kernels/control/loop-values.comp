// Values that leave a loop with the round in which each pixel left it.
// operands: small
// expect: loop-values
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint last = 0u, sum = 0u;
  float scale = 1.0;
  for (uint n = 0u; ; n++) {
    uint square = n * n;
    sum += square;
    scale *= 0.5;
    last = square;
    if (square > words.x * 5u) break;
    if (n == words.y) { sum += 1000u; break; }
  }
  return uvec4(last, sum, floatBitsToUint(scale), last + sum);
}
