// refused: a value of 32768 numbers
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

shared vec4 much[8192];

void main() {
  much[gl_LocalInvocationIndex] = vec4(1);
  barrier();
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, much[pixel.x]);
}
