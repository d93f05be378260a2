// A loop whose length depends on the pixel.
// operands: small
// expect: collatz
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  uvec4 steps = uvec4(0u);
  for (int part = 0; part < 4; part++) {
    uint n = words[part] + 1u;
    while (n != 1u) { n = (n & 1u) == 0u ? n / 2u : 3u * n + 1u; steps[part]++; }
  }
  return steps;
}
