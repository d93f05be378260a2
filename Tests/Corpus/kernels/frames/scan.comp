// Running sums over workgroups of 1024 invocations, with barriers in a loop: more invocations than fit in a batch of any executor.
#version 460

layout(local_size_x = 1024) in;
layout(std430, set = 0, binding = 2) buffer Words { uint words[]; };

shared uint sums[2][1024];

void main() {
  uint lane = gl_LocalInvocationIndex, from = 0u, at = gl_GlobalInvocationID.x;
  sums[0][lane] = at % 7u + 1u;
  barrier();
  for (uint distance = 1u; distance < 1024u; distance *= 2u) {
    uint sum = sums[from][lane];
    if (lane >= distance) sum += sums[from][lane - distance];
    from = 1u - from;
    sums[from][lane] = sum;
    barrier();
  }
  words[at] = sums[from][lane];
}
