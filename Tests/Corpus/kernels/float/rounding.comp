// Rounding to integral values.
// operands: floats
// expect: floor x, ceiling x, truncate x, round-even x
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(floor(v.x), ceil(v.x), trunc(v.x), roundEven(v.x)));
}
