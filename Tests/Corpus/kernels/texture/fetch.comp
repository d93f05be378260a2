// Reads whole pixels of a level; outside is transparent black.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(texelFetch(picture, ivec2(floor(v.xy * vec2(13, 10))), int(v.z)));
}
