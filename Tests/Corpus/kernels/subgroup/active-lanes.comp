// Sums over the lanes of a subgroup that take the same branch.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
#include "../region.glsl"

layout(std140, set = 0, binding = 0) uniform Operands { uvec4 operands[1024]; };

void main() {
  uint lane = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  ivec2 pixel = pixelOf(lane);
  uvec4 words = operands[(pixel.y & 31) * 32 + (pixel.x & 31)];
  uint sum = 100u;
  if (words.y > 7u) sum = subgroupAdd(words.x);
  else if (words.z > 7u) sum = 200u + subgroupMax(words.x);
  finish(pixel, uvec4(sum, 0u, 0u, gl_SubgroupSize));
}
