// Writes operands to a storage image, and some beyond its edge, which are dropped.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform writeonly image2D target;

uvec4 evaluate(uvec4 words) {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  imageStore(target, pixel, floats(words));
  imageStore(target, pixel + 32, vec4(7.0));
  imageStore(target, pixel - 32, vec4(8.0));
  return uvec4(imageSize(target), 0u, 0u);
}
