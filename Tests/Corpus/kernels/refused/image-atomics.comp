// refused: OpImageTexelPointer
// line: 11
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(set = 0, binding = 2, r32ui) uniform uimage2D counters;

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, uvec4(imageAtomicAdd(counters, pixel, 1u)));
}
