// Nested loops that pixels leave at different times.
// operands: small
// expect: nested-loops
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint total = 0u, rounds = 0u;
  for (uint i = 0u; i < words.x + 1u; i++) {
    if (i == words.w) continue;
    for (uint j = i; j < words.y + 4u; j++) {
      rounds++;
      if ((i * j) % 7u == 6u) break;
      for (uint k = 0u; k < 3u; k++) { if (k == words.z % 3u) continue; total += i + 2u * j + k; if (total % 11u == 5u) break; }
      if (total > 400u) break;
    }
    if (rounds > 60u) break;
  }
  return uvec4(total, rounds, total ^ rounds, total + rounds);
}
