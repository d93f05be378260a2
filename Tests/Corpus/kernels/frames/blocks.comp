// Writes the place of each pixel that its workgroups cover.
#version 460

layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 2) uniform writeonly image2D target;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  imageStore(target, pixel, vec4(pixel, gl_WorkGroupID.x, 1.0));
}
