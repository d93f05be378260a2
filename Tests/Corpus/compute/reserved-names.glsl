#version 450
layout(local_size_x = 8, local_size_y = 8) in;
uniform int filter; // = 2
uniform float half; // = 0.5
uniform sampler2D input;
uniform writeonly image2D output;
shared float common[64];
void main() {
  ivec2 position = ivec2(gl_GlobalInvocationID.xy);
  vec4 sample = texelFetch(input, position / filter, 0);
  common[gl_LocalInvocationIndex] = half;
  imageStore(output, position, sample * common[gl_LocalInvocationIndex]);
}
