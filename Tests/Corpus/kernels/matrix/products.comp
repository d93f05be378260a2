// Matrices times matrices, transposes, sums and scalars.
// operands: numbers
// expect: matrix-products
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  mat2 a = mat2(v.x, v.y, v.z, v.w), b = mat2(v.w, 1.0, v.x, -2.0);
  mat2 c = a * b;
  mat2 d = transpose(a) + b * 2.0 - matrixCompMult(a, b);
  return bits(vec4(c[0][1], c[1].x, d[0][1], d[1][1]));
}
