// The six comparisons: one bit each; NaN and infinity tests.
// operands: floats
// expect: comparisons x y, number-class x, select-less x y, not-less x y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint r = 0u;
  if (v.x < v.y) r |= 1u;
  if (v.x <= v.y) r |= 2u;
  if (v.x > v.y) r |= 4u;
  if (v.x >= v.y) r |= 8u;
  if (v.x == v.y) r |= 16u;
  if (v.x != v.y) r |= 32u;
  return uvec4(r, uint(isnan(v.x)) | uint(isinf(v.x)) << 1, floatBitsToUint(v.x < v.y ? 1.0 : -1.0), uint(!(v.x < v.y)));
}
