// Swizzles as sources and targets.
// operands: words
// expect: swizzles
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uvec4 a = words.wzyx;
  a.yw = a.wx + 1u;
  a.xyz = a.zxy;
  a.z = words.xxyy.w;
  return a;
}
