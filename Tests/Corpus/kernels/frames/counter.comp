// Counts how often it ran, once for each invocation and once for each workgroup.
#version 460

layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 2) buffer Counts { uint runs; uint workgroups; };

void main() {
  atomicAdd(runs, 1u);
  if (gl_LocalInvocationIndex == 0u) atomicAdd(workgroups, 1u);
}
