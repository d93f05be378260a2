#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
// Numbers of 16 bits, in registers and in buffers.
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Values { f16vec4 values[]; };
layout(constant_id = 3) const int rounds = 4;

void main() {
  f16vec4 x = values[gl_GlobalInvocationID.x];
  int16_t k = int16_t(3);
  for (int i = 0; i < rounds; i++) { x = x * float16_t(1.5) + sqrt(abs(x)); x[k & int16_t(3)] += float16_t(k); }
  values[gl_GlobalInvocationID.x] = x + f16vec4(vec4(float(x.x)));
}
