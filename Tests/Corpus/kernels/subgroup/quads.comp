// The other pixels of a quad.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_basic : require
#include "../region.glsl"

layout(std140, set = 0, binding = 0) uniform Operands { uvec4 operands[1024]; };

uint etalonFindPixel() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

void main() {
  ivec2 pixel = pixelOf(etalonFindPixel());
  uvec4 words = operands[(pixel.y & 31) * 32 + (pixel.x & 31)];
  finish(pixel, uvec4(subgroupQuadSwapHorizontal(words.x), subgroupQuadSwapVertical(words.x), subgroupQuadSwapDiagonal(words.x), subgroupQuadBroadcast(words.x, 2u)));
}
