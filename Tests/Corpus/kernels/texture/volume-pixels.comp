// Reads whole pixels of a texture of three dimensions, one slice above the other, and its size.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(set = 0, binding = 2) uniform sampler3D picture;

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  ivec3 size = textureSize(picture, 0);
  if (pixel.x >= size.x) finish(pixel, vec4(size, float(textureQueryLevels(picture))));
  else finish(pixel, texelFetch(picture, ivec3(pixel.x, pixel.y % size.y, pixel.y / size.y), 0));
}
