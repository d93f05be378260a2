// Counting and finding bits.
// operands: integers
// expect: bit-count x, bit-reverse x, find-lsb x, find-msb x
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  ivec4 i = ivec4(words);
  return uvec4(bitCount(words.x), bitfieldReverse(words.x), findLSB(words.x), findMSB(words.x));
}
