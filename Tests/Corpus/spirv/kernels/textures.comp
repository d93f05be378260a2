#version 450
// Textures and images of every dimension and kind of access.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 1) uniform sampler2D flat_;
layout(binding = 2) uniform sampler3D volume;
layout(binding = 3) uniform samplerCube sky;
layout(binding = 4) uniform isampler2D numbers;
layout(binding = 5) uniform usampler2D words;
layout(binding = 6, rgba16f) uniform image2D target;
layout(binding = 7) uniform writeonly image2D anything;
layout(binding = 8, r32ui) uniform uimage2D counters;
layout(binding = 9, rgba32f) uniform readonly image3D box;
layout(binding = 10, r11f_g11f_b10f) uniform writeonly image2D packed_;
layout(binding = 11) uniform sampler2D unused;

vec4 twice(sampler2D texture_, vec2 p) { return textureLod(texture_, p, 0.0) + textureLod(texture_, p.yx, 1.5); }

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec2 p = (vec2(at) + 0.5) / vec2(textureSize(flat_, 0));
  vec4 c = twice(flat_, p) + textureLod(volume, p.xyy, 0.0) + textureLod(sky, vec3(p, 1.0), 0.0);
  c += textureGrad(flat_, p, vec2(0.1, 0.0), vec2(0.0, 0.1)) + textureLodOffset(flat_, p, 0.0, ivec2(1, -1));
  c += texelFetch(flat_, at, 0) + texelFetch(volume, at.xyy, 0) + texelFetchOffset(flat_, at, 0, ivec2(2));
  c += textureGather(flat_, p) + textureGather(flat_, p, 2) + textureGatherOffset(flat_, p, ivec2(1), 1) + textureProjLod(flat_, vec3(p, 2.0), 0.0);
  c += vec4(texelFetch(numbers, at, 0)) + vec4(textureLod(words, p, 0.0)) + float(textureQueryLevels(flat_));
  c += imageLoad(target, at) + imageLoad(box, at.xyx) + vec4(imageSize(box), 1);
  imageStore(target, at, c); imageStore(anything, at, c); imageStore(packed_, at, c);
  uint old = imageAtomicAdd(counters, at, 1u) + imageAtomicExchange(counters, at, 5u);
  if (old == 3u) imageStore(counters, at, uvec4(old));
}
