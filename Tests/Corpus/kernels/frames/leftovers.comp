// What a workgroup finds in shared memory that was not written: zeros. It leaves other values behind.
#version 460

layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 2) buffer Words { uint words[]; };

shared uint left[64];

void main() {
  uint lane = gl_LocalInvocationIndex;
  words[gl_GlobalInvocationID.x] = left[lane];
  barrier();
  left[lane] = 77u;
}
