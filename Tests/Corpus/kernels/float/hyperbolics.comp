// Hyperbolic functions.
// operands: angles
// expect: sinh x, cosh x, tanh x, asinh x
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(sinh(v.x), cosh(v.x), tanh(v.x), asinh(v.x)));
}
