// Extracting and inserting fields of bits.
// operands: fields
// expect: extract x z w, extract-signed x z w, insert x y z w, extract y z w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  ivec4 i = ivec4(words);
  return uvec4(bitfieldExtract(words.x, i.z, i.w), bitfieldExtract(i.x, i.z, i.w), bitfieldInsert(words.x, words.y, i.z, i.w), bitfieldExtract(words.y, i.z, i.w));
}
