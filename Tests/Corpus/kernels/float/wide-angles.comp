// Sines, cosines and tangents of every float.
// operands: floats
// expect: sin x, cos x, tan x, cos y
// devices: cpu
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(sin(v.x), cos(v.x), tan(v.x), cos(v.y)));
}
