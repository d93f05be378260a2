// How many pixels of a picture have each of 64 values of red: counted in shared memory by workgroups, then added up in a buffer.
#version 460

layout(local_size_x = 16, local_size_y = 8) in;
layout(set = 0, binding = 2) uniform sampler2D picture;
layout(std430, set = 0, binding = 3) buffer Histogram { uint bins[64]; };

shared uint counts[64];

void main() {
  uint lane = gl_LocalInvocationIndex;
  if (lane < 64u) counts[lane] = 0u;
  barrier();
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (all(lessThan(pixel, textureSize(picture, 0)))) {
    uint red = uint(round(texelFetch(picture, pixel, 0).r * 255.0));
    atomicAdd(counts[red / 4u], 1u);
  }
  barrier();
  if (lane < 64u && counts[lane] > 0u) atomicAdd(bins[lane], counts[lane]);
}
