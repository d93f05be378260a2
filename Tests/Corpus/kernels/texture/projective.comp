// Reads at a position that is divided.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(textureProjLod(picture, vec3(v.xy * 2.0, 2.0), v.z));
}
