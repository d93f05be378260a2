// Loops with continue, break, and conditions at either end.
// operands: small
// expect: loops
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint a = 0u, b = 0u, c = 0u, d = words.w;
  for (uint n = 0u; n < words.x; n++) { if (n % 3u == 1u) continue; if (n > 11u) break; a += n; }
  uint m = words.y;
  while (m > 2u) { b += m; m -= 2u; if (b > 30u) break; }
  do { c = c * 2u + 1u; d++; } while (d < 10u);
  for (;;) { d += 3u; if (d > words.z + 20u) break; }
  return uvec4(a, b, c, d);
}
