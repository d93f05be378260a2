// Exponentials and logarithms of every float.
// operands: floats
// expect: exp x, exp2 x, log x, log2 x
// devices: cpu
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(exp(v.x), exp2(v.x), log(v.x), log2(v.x)));
}
