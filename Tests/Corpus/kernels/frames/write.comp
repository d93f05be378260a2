// Copies a picture pixel by pixel.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../pixels.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;
layout(set = 0, binding = 3) uniform writeonly image2D target;

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  if (isInside(pixel)) imageStore(target, pixel, texelFetch(picture, pixel, 0));
}
