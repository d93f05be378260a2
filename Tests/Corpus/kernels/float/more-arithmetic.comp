// Negation, modulo, multiply-add in two steps.
// operands: floats
// expect: negate x, modulo x y, multiply-add x y z, square-sum x y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(-v.x, mod(v.x, v.y), fma(v.x, v.y, v.z), v.x * v.x + v.y * v.y));
}
