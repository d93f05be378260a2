// Four words of a buffer for each pixel, in rows from the bottom; zeros beyond its end.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(std430, set = 0, binding = 2) readonly buffer Words { uint words[]; };

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  uint start = 4u * uint(pixel.y * (etalonEnd.x - etalonOrigin.x) + pixel.x);
  uvec4 result = uvec4(0u);
  for (uint k = 0u; k < 4u; k++) if (start + k < uint(words.length())) result[k] = words[start + k];
  finish(pixel, result);
}
