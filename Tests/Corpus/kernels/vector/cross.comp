// Cross products.
// operands: numbers
// expect: cross-products
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(cross(v.xyz, v.yzw), dot(cross(v.xyz, v.wxy), vec3(1, 0, 0))));
}
