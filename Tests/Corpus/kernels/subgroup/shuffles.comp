// Values of other lanes.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#include "../region.glsl"

layout(std140, set = 0, binding = 0) uniform Operands { uvec4 operands[1024]; };

void main() {
  uint lane = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  ivec2 pixel = pixelOf(lane);
  uvec4 words = operands[(pixel.y & 31) * 32 + (pixel.x & 31)];
  finish(pixel, uvec4(subgroupShuffle(words.x, words.y & 7u), subgroupShuffleXor(words.x, 5u), gl_SubgroupInvocationID < 2u ? 0u : subgroupShuffleUp(words.x, 2u), gl_SubgroupSize));
}
