// Components that are chosen while the shader runs; beyond the last, the last.
// operands: small
// expect: vector-components
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  vec4 a = vec4(10.0, 20.0, 30.0, 40.0);
  a[words.x & 3u] = 7.0;
  a[words.y & 3u] += 1.0;
  uvec4 b = uvec4(1u, 2u, 3u, 4u);
  b[words.z & 3u] = 9u;
  return uvec4(floatBitsToUint(a[words.z & 3u]), floatBitsToUint(a[words.w & 3u]), b[words.x & 3u], b[words.w & 3u]);
}
