// Switches with fallthrough, shared labels, default in the middle, inside loops.
// operands: small
// expect: switches
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint a = 0u;
  switch (words.x) { case 0u: a += 1u; case 1u: a += 10u; break; case 2u: case 3u: a += 100u; break; default: a = 7u; case 9u: a += 1000u; break; case 4u: a = 4u; }
  uint b = 0u;
  for (uint n = 0u; n < 6u; n++) {
    switch ((words.y + n) & 3u) { case 0u: continue; case 1u: b += 1u; break; case 2u: b += 10u; default: b += 100u; }
    if (b > 250u) break;
  }
  uint c = 5u;
  switch (int(words.z) - 8) { case -8: c = 1u; break; case -1: c = 2u; break; case 7: c = 3u; }
  switch (words.w & 1u) { default: c += 10u; }
  return uvec4(a, b, c, a + b);
}
