// Sums, differences, products and quotients.
// operands: floats
// expect: add x y, subtract x y, multiply x y, divide x y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(v.x + v.y, v.x - v.y, v.x * v.y, v.x / v.y));
}
