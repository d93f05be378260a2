#version 460
#extension GL_EXT_control_flow_attributes : require
#define TILE 8
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(set = 1, binding = 3) uniform sampler2D inputImage;
layout(binding = 4, rgba8) uniform readonly image2D maskImage;
layout(rgba16f, binding = 5) uniform writeonly restrict image2D picture;
uniform writeonly image2D edges;
layout(push_constant) uniform Values {
  float gain; // = 1.5
  int radius; /* = 2 */
  vec2 offset;
  float TIME;
} values;
layout(std430, binding = 9) buffer Bins { uint counts[256]; } bins;

shared vec4 tile[TILE * TILE];

void main() {
  ivec2 position = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(maskImage);
  tile[gl_LocalInvocationIndex] = texture(inputImage, (vec2(position) + 0.5 + values.offset) / vec2(textureSize(inputImage, 0)));
  barrier();
  vec4 sum = vec4(0.0);
  [[unroll]] for (int i = 0; i < 4; i++) sum += tile[(int(gl_LocalInvocationIndex) + i * values.radius) & 63];
  vec4 mask = imageLoad(maskImage, min(position, size - ivec2(1)));
  atomicAdd(bins.counts[int(mask.r * 255.0)], 1u);
  imageStore(picture, position, sum * values.gain * mask + fract(values.TIME));
  imageStore(edges, position, vec4(mask.a));
}
