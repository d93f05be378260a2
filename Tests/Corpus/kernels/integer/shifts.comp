// Shifts by 0 to 31.
// operands: shifts
// expect: shl x z, shr x z, sar x z, shl y w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  ivec4 i = ivec4(words);
  return uvec4(words.x << words.z, words.x >> words.z, uint(i.x >> i.z), uint(i.y << words.w));
}
