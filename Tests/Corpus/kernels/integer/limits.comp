// Minimum, maximum and clamp of signed numbers.
// operands: integers
// expect: imin x y, imax x y, iclamp z x y, iabs x
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  ivec4 i = ivec4(words);
  return uvec4(min(i.x, i.y), max(i.x, i.y), clamp(i.z, i.x, i.y), abs(i.x));
}
