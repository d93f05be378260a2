// Where each invocation of oddly sized workgroups is.
#version 460

layout(local_size_x = 5, local_size_y = 7, local_size_z = 9) in;
layout(std430, set = 0, binding = 2) writeonly buffer Words { uint words[]; };

void main() {
  uvec3 size = gl_WorkGroupSize * gl_NumWorkGroups, at = gl_GlobalInvocationID;
  uint place = (at.z * size.y + at.y) * size.x + at.x;
  words[place] = gl_LocalInvocationIndex + 1000u * gl_WorkGroupID.x + 10000u * gl_WorkGroupID.y + 100000u * gl_WorkGroupID.z
    + 1000000u * (gl_LocalInvocationID.z * 35u + gl_LocalInvocationID.y * 5u + gl_LocalInvocationID.x - gl_LocalInvocationIndex);
}
