// refused: row-major matrix
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(std140, row_major, set = 0, binding = 0) uniform Block { mat3 matrix; };

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, vec4(matrix[pixel.x % 3], 1));
}
