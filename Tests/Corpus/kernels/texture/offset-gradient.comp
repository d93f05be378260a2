// Reads with an offset at the level that steps of the position ask for.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(textureGradOffset(picture, v.xy, vec2(v.w, 0.0), vec2(0.0, -v.w), ivec2(3, -5)));
}
