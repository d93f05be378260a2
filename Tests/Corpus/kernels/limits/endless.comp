// A loop that ends for all pixels but one.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  uint n = 0u;
  while (n < 10u || pixel == ivec2(20, 3)) n++;
  finish(pixel, uvec4(n));
}
