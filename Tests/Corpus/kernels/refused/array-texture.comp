// refused: array texture
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(set = 0, binding = 2) uniform sampler2DArray pictures;

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, texelFetch(pictures, ivec3(pixel, 1), 0));
}
