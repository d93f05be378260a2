// Indices beyond the end of local arrays and tables: the last element.
// operands: words
// expect: array-out-of-range
// devices: cpu
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

const uint table[12] = uint[](1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u);
uvec4 evaluate(uvec4 words) {
  uint few[4] = uint[](10u, 20u, 30u, 40u);
  uint many[20];
  for (uint n = 0u; n < 20u; n++) many[n] = n;
  many[words.y] = 99u;
  few[words.w] = 77u;
  return uvec4(table[words.x], few[words.x], many[words.z], few[3] + many[19]);
}
