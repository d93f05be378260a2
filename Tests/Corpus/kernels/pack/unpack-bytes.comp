// Unpacking bytes.
// operands: words
// expect: unpack-unorm8-first x, unpack-unorm8-last x, unpack-snorm8-first y, unpack-snorm8-last y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  vec4 a = unpackUnorm4x8(words.x), b = unpackSnorm4x8(words.y);
  return bits(vec4(a.x, a.w, b.x, b.w));
}
