// What the pixel to the left held one frame before, and a step more.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../pixels.glsl"

layout(std140, set = 0, binding = 0) uniform Values { vec4 change; };
layout(set = 0, binding = 2) uniform sampler2D previous;
layout(set = 0, binding = 3) uniform writeonly image2D target;

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex), size = textureSize(previous, 0);
  vec4 before = texelFetch(previous, ivec2((pixel.x + size.x - 1) % size.x, pixel.y), 0);
  if (isInside(pixel)) imageStore(target, pixel, before + change * float(1 + pixel.x % 3));
}
