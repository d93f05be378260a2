// Sums, differences, products, negation: all wrap around.
// operands: integers
// expect: iadd x y, isub x y, imul x y, ineg x
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  ivec4 i = ivec4(words);
  return uvec4(i.x + i.y, i.x - i.y, i.x * i.y, -i.x);
}
