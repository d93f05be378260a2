// Dot products and lengths.
// operands: numbers
// expect: dot2 x y z w, dot4-reversed x y z w, length3 x y z, distance2 x y z w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(dot(v.xy, v.zw), dot(v, v.wzyx), length(v.xyz), distance(v.xy, v.zw)));
}
