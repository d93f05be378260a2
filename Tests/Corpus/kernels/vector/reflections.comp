// reflect and faceforward.
// operands: unit
// expect: reflections
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(reflect(v.xy, vec2(0.6, 0.8)), faceforward(v.zw, v.xy, vec2(0, 1))));
}
