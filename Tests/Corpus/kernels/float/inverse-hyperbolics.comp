// acosh and atanh, and powers.
// operands: floats
// expect: acosh x, atanh x, pow x y, pow y x
// devices: cpu
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(acosh(v.x), atanh(v.x), pow(v.x, v.y), pow(v.y, v.x)));
}
