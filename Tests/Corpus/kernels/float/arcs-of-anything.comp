// Arcsines, arccosines and arctangents of every float.
// operands: floats
// expect: asin x, acos x, atan x, atan2 x y
// devices: cpu
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(asin(v.x), acos(v.x), atan(v.x), atan(v.x, v.y)));
}
