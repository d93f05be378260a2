// Quotients and remainders; a zero divisor gives 0.
// operands: divisors
// expect: udiv x y, umod x y, udiv z w, umod z w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return uvec4(words.x / words.y, words.x % words.y, words.z / words.w, words.z % words.w);
}
