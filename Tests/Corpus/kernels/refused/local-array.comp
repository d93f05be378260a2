// refused: local arrays
// line: 7
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  float much[200000];
  much[pixel.x] = 1.0;
  much[pixel.y * 100] = 2.0;
  finish(pixel, vec4(much[pixel.x * 7]));
}
