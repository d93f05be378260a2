// Minimum, maximum and clamp of unsigned numbers, and the sign.
// operands: integers
// expect: umin x y, umax x y, uclamp z x y, isign x
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  ivec4 i = ivec4(words);
  return uvec4(min(words.x, words.y), max(words.x, words.y), clamp(words.z, words.x, words.y), uint(sign(i.x)));
}
