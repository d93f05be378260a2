// modf and frexp, both parts.
// operands: floats
// expect: modf-fraction x, truncate x, frexp-significand x, frexp-exponent x
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  float whole;
  float fraction = modf(v.x, whole);
  int exponent;
  float significand = frexp(v.x, exponent);
  return uvec4(floatBitsToUint(vec3(fraction, whole, significand)), uint(exponent));
}
