// Reads a storage image pixel by pixel, also beyond its edge.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(set = 0, binding = 2, rgba32f) uniform readonly image2D source;

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, imageLoad(source, pixel.yx) + imageLoad(source, pixel + 32));
}
