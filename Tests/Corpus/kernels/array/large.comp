// A large local array, written and read by index.
// operands: small
// expect: large-array
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint a[40];
  for (uint n = 0u; n < 40u; n++) a[n] = n * n;
  a[words.x * 2u] = 1000u;
  for (uint n = 0u; n < words.y; n++) a[n + 3u] += a[n];
  return uvec4(a[words.z], a[words.w + 20u], a[words.x * 2u], a[39u]);
}
