// Division by zero, overflowing division, shifts by 32 and more, fields beyond the word.
// operands: integers
// expect: undefined-integers
// devices: cpu
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  ivec4 i = ivec4(words);
  
  return uvec4(words.x / words.y ^ words.x % words.y, uint(i.x / i.y ^ i.x % i.y), (words.x << words.y) ^ (words.x >> words.z) ^ uint(i.x >> i.w), bitfieldExtract(words.x, i.y, i.z) ^ bitfieldInsert(words.x, words.y, i.z, i.w) ^ uint(bitfieldExtract(i.x, i.w, i.z)));
}
