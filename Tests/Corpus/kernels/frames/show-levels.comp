// The pixels of all levels of a texture: the first to the left, the others one above the other beside it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;

ivec2 sizeOf(int level) { return max(textureSize(picture, 0) >> level, ivec2(1)); }

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex), place = pixel;
  int level = 0, count = textureQueryLevels(picture);
  if (pixel.x >= sizeOf(0).x) {
    place.x -= sizeOf(0).x;
    for (level = 1; level < count && place.y >= sizeOf(level).y; level++) place.y -= sizeOf(level).y;
  }
  bool isThere = level < count && all(lessThan(place, sizeOf(level)));
  finish(pixel, isThere ? texelFetch(picture, place, level) : vec4(0.0));
}
