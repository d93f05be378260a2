// Powers of positive numbers.
// operands: positive
// expect: pow x y, pow y x, pow x z, pow z y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(pow(v.x, v.y), pow(v.y, v.x), pow(v.x, v.z), pow(v.z, v.y)));
}
