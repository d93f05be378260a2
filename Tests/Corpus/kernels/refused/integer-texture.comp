// refused: textures of integers
// line: 11
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(set = 0, binding = 2) uniform usampler2D picture;

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, texelFetch(picture, pixel, 0));
}
