// refused: arrays of textures
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(set = 0, binding = 2) uniform sampler2D pictures[2];

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, texelFetch(pictures[1], pixel, 0));
}
