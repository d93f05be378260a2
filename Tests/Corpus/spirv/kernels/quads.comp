#version 450
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
// Values that neighbors exchange.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Values { float values[]; } block;

float derivative(float x) { return subgroupQuadSwapHorizontal(x) - x + subgroupQuadSwapVertical(x) - subgroupQuadBroadcast(x, 2u); }

void main() {
  uint at = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  float x = block.values[at];
  float y = derivative(x) + subgroupAdd(x) + subgroupMax(x) + subgroupInclusiveMul(x) + subgroupExclusiveAdd(x) + subgroupShuffle(x, 3u)
    + subgroupShuffleXor(x, 1u) + subgroupBroadcastFirst(x) + subgroupQuadSwapDiagonal(x);
  uvec4 votes = subgroupBallot(x > 0.0);
  if (subgroupAny(x > 1.0) && !subgroupAll(x > 2.0) && subgroupElect()) y += float(subgroupBallotBitCount(votes));
  block.values[at] = y;
}
