// Conversions to and from booleans.
// operands: floats
// expect: is-nonzero-float x, is-nonzero y, is-nonzero-float z, is-nonzero w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return uvec4(bool(v.x), bool(words.y), bool(v.z), bool(int(words.w)));
}
