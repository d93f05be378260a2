// Unit vectors.
// operands: numbers
// expect: unit-vectors
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(normalize(v.xyz), normalize(v.zw).y));
}
