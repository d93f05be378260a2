layout(local_size_x = 8, local_size_y = 8) in;
uniform int uniform; // = 1
uniform sampler2D readonly;
uniform struct { float gain, true; } values;
layout(std430) buffer while { float do[4]; };
layout(binding = 0) uniform image2D target;

void main() {
  imageStore(target, ivec2(gl_GlobalInvocationID.xy), vec4(gain));
}
