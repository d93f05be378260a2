// The number of a face and the places of its pixels.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../pixels.glsl"

layout(std140, set = 0, binding = 0) uniform Values { float face; };
layout(set = 0, binding = 2) uniform writeonly image2D target;

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  if (isInside(pixel)) imageStore(target, pixel, vec4(face, pixel, 1.0));
}
