// refused: an array of 1073741824 elements
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  float much[1073741824];
  much[pixel.x] = 1.0;
  finish(pixel, vec4(much[pixel.y]));
}
