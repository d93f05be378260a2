// Branches inside branches, some of them the same for all pixels.
// operands: small
// expect: branches
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint result = 0u;
  if (operands[0].x < 100u) result += 1u;
  if (words.x > words.y) {
    result += 10u;
    if (words.z > 7u) result += 100u; else if (words.w > 3u) result += 200u; else result += 300u;
  } else if (words.x == words.y) result += 20u;
  else { result += 30u; if (words.z < words.w) result *= 2u; }
  return uvec4(result, words.x > 7u ? words.y > 7u ? 1u : 2u : 3u, (words.x & 1u) == 0u && (words.y & 1u) == 0u ? 5u : 6u, result ^ 1u);
}
