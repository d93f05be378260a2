// Reads every pixel as it is.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, texelFetch(picture, pixel, 0));
}
