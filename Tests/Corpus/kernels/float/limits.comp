// Minimum, maximum, clamp and step.
// operands: floats
// expect: minimum x y, maximum x y, clamp z x y, step x y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(min(v.x, v.y), max(v.x, v.y), clamp(v.z, v.x, v.y), step(v.x, v.y)));
}
