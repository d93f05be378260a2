// refused: clusters
// line: 10
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_clustered : require
#include "../region.glsl"

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, uvec4(subgroupClusteredAdd(uint(pixel.x), 4u)));
}
