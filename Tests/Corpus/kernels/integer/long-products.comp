// Products of 64 bits.
// operands: integers
// expect: imul x y, unsigned-high x y, imul x z, signed-high x z
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  ivec4 i = ivec4(words);
  
  uint high, low;
  umulExtended(words.x, words.y, high, low);
  int signedHigh, signedLow;
  imulExtended(i.x, i.z, signedHigh, signedLow);
  return uvec4(low, high, signedLow, signedHigh);
}
