// Reads with an offset beside a position that is divided first, at the level that steps ask for.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(textureProjGradOffset(picture, vec3(2.0 * v.xy, 2.0), vec2(v.w, 0.0), vec2(0.0, -v.w), ivec2(3, -5)));
}
