// Conversions to integers: truncated, limited, 0 for NaN.
// operands: floats
// expect: to-signed x, to-unsigned x, to-signed z, to-unsigned w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return uvec4(uint(int(v.x)), uint(v.x), uint(int(v.z)), uint(v.w));
}
