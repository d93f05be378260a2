// Asks for sizes and the number of levels.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return uvec4(textureSize(picture, 1), textureQueryLevels(picture), textureSize(picture, 0).x);
}
