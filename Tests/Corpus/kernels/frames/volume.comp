// The place of each pixel of a volume.
#version 460

layout(local_size_x = 4, local_size_y = 4, local_size_z = 2) in;
layout(set = 0, binding = 2) uniform writeonly image3D target;

void main() {
  ivec3 pixel = ivec3(gl_GlobalInvocationID);
  imageStore(target, pixel, vec4(pixel, 1.0));
}
