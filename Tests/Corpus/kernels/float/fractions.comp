// Fractions, halves rounded to even, signs and magnitudes.
// operands: floats
// expect: fraction x, round-even x, sign x, magnitude x
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(fract(v.x), round(v.x), sign(v.x), abs(v.x)));
}
