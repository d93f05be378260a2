// Indices beyond a uniform array: the last element.
// operands: words
// expect: uniform-out-of-range
// devices: cpu
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return operands[words.x | 1024u];
}
