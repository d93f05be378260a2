// Reads the second channel of the four pixels around a position, three columns to the right and five rows down.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(textureGatherOffset(picture, v.xy, ivec2(3, -5), 1));
}
