// Determinants and inverses.
// operands: matrices
// expect: matrix-inverses
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  mat2 a = mat2(v.x + 4.0, v.y, v.z, v.w + 4.0);
  mat3 b = mat3(4.0 + v.x, v.y, 0.5, v.z, 5.0, v.w, -0.25, v.x, 6.0);
  mat4 c = mat4(6.0, v.x, v.y, 0.0, v.z, 5.0, 0.5, v.w, 0.0, v.x, 7.0, 0.25, v.y, 0.0, v.z, 8.0);
  return bits(vec4(determinant(a), determinant(b), inverse(b)[1][2], inverse(c)[2][1] + inverse(a)[0][1]));
}
