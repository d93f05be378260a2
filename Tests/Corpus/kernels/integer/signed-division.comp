// Quotients truncate, the remainder of GLSL has the sign of the divisor here.
// operands: divisors
// expect: idiv x y, imod x y, idiv z w, imod z w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  ivec4 i = ivec4(words);
  return uvec4(i.x / i.y, i.x % i.y, i.z / i.w, i.z % i.w);
}
