// Unpacking 16 bits.
// operands: words
// expect: unpack-unorm16-first x, unpack-unorm16-last x, unpack-snorm16-first y, unpack-snorm16-last y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(unpackUnorm2x16(words.x), unpackSnorm2x16(words.y)));
}
