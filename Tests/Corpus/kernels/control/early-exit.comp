// Pixels that end before the others: what they wrote stays, what comes after is not written.
// operands: small
// expect: early-exit
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(std140, set = 0, binding = 0) uniform Operands { uvec4 operands[1024]; };

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  uvec4 words = operands[pixel.y * 32 + pixel.x];
  finish(pixel, uvec4(1u, 2u, 3u, 4u));
  if (words.x > 11u) return;
  uint sum = 0u;
  for (uint n = 0u; n < words.y; n++) {
    sum += n;
    if (sum > 3u * words.z + 20u) {
      finish(pixel, uvec4(sum, n, 5u, 6u));
      return;
    }
  }
  finish(pixel, uvec4(sum, words.y, words.x, 7u));
}
