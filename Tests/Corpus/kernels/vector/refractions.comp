// refract, with total reflection.
// operands: unit
// expect: refractions
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  vec2 from = normalize(v.xy);
  return bits(vec4(refract(v.xy, vec2(0.0, 1.0), 1.5), refract(v.zw, vec2(0.6, 0.8), 0.75)));
}
