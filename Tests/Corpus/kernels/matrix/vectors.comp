// Matrices times vectors and vectors times matrices.
// operands: numbers
// expect: matrix-vectors
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  mat2x3 m = mat2x3(v.x, v.y, v.z, v.w, 2.0, -3.0);
  vec3 a = m * v.xy;
  vec2 b = v.xyz * m;
  return bits(vec4(a.x + a.y, a.z, b));
}
