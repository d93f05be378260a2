// Square roots.
// operands: positive
// expect: sqrt x, inversesqrt x, sqrt y, inversesqrt y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(sqrt(v.x), inversesqrt(v.x), sqrt(v.y), inversesqrt(v.y)));
}
