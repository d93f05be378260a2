// A small local array with indices that differ from pixel to pixel.
// operands: small
// expect: small-array
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint a[5] = uint[](10u, 11u, 12u, 13u, 14u);
  a[words.x % 5u] = words.y;
  a[words.z % 5u] += 100u;
  return uvec4(a[words.w % 5u], a[words.x % 5u], a[0] + a[4], a[(words.y + words.z) % 5u]);
}
