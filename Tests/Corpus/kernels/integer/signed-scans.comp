// Finding bits of signed numbers.
// operands: integers
// expect: find-signed-msb x, find-lsb y, bit-count y, find-signed-msb z
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  ivec4 i = ivec4(words);
  return uvec4(findMSB(i.x), findLSB(i.y), bitCount(i.y), findMSB(i.z));
}
