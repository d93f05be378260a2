// Ballots, votes and elections.
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
  uvec4 ballot = subgroupBallot(words.x > 7u);
  uint votes = uint(subgroupAny(words.x == 15u)) | uint(subgroupAll(words.x < 15u)) << 1 | uint(subgroupAllEqual(words.x)) << 2 | uint(subgroupElect()) << 3 |
               uint(subgroupInverseBallot(ballot)) << 4 | subgroupBallotBitCount(ballot) << 8 | subgroupBallotExclusiveBitCount(ballot) << 16;
  finish(pixel, uvec4(ballot.x, votes, subgroupBroadcastFirst(words.y) | subgroupBroadcast(words.y, 3u) << 8, gl_SubgroupSize));
}
