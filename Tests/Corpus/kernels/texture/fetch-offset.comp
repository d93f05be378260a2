// Reads whole pixels of a level three columns to the right and five rows down; outside is transparent black.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(texelFetchOffset(picture, ivec2(floor(v.xy * vec2(13, 10))), int(v.z), ivec2(3, -5)));
}
