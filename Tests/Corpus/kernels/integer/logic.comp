// Booleans: and, or, exclusive or, not, equality, any, all, select.
// operands: integers
// expect: boolean-logic x y, boolean-vectors x y, select-odd x y z, boolean-logic z w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uint logic(uint x, uint y) {
  bool a = (x & 1u) != 0u, b = (y & 1u) != 0u;
  return uint(a && b) | uint(a || b) << 1 | uint(a ^^ b) << 2 | uint(!a) << 3 | uint(a == b) << 4 | uint(a != b) << 5;
}
uint vectors(uint x, uint y) {
  bvec4 odd = notEqual(uvec4(x) & uvec4(1u, 2u, 4u, 8u), uvec4(0u));
  bvec4 less = lessThan(uvec4(x, y, 7u, x & 255u), uvec4(y, x, y, 128u));
  return uint(any(odd)) | uint(all(odd)) << 1 | uint(any(less)) << 2 | uint(all(less)) << 3 | uint(any(not(odd))) << 4 |
         uint(all(equal(odd, less))) << 5;
}
uvec4 evaluate(uvec4 words) {
  return uvec4(logic(words.x, words.y), vectors(words.x, words.y), (words.x & 1u) != 0u ? words.y : words.z, logic(words.z, words.w));
}
