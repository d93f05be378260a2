// Returns in branches, loops and nested loops.
// operands: small
// expect: early-returns
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uint classify(uint x) {
  if (x == 0u) return 1u;
  if (x < 4u) { if (x == 2u) return 22u; return 20u; }
  for (uint n = 2u; n < x; n++) if (x % n == 0u) return 30u + n;
  return 40u;
}
uint search(uint a, uint b) {
  for (uint i = 0u; i < 6u; i++)
    for (uint j = 0u; j < 6u; j++) if (i * j == a + b) return i * 10u + j;
  return 99u;
}
uvec4 evaluate(uvec4 words) {
  return uvec4(classify(words.x), search(words.x, words.y), classify(words.z) + classify(words.w), search(words.z, words.w));
}
