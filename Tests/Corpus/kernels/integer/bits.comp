// Logic and shifts.
// operands: shifts
// expect: and x y, or x y, xor x y, not x
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return uvec4(words.x & words.y, words.x | words.y, words.x ^ words.y, ~words.x);
}
