// Unpacking halves.
// operands: words
// expect: unpack-half-first x, unpack-half-last x, unpack-half-first y, unpack-half-last y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y)));
}
