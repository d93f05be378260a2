// refused: compares depths
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

layout(set = 0, binding = 2) uniform sampler2DShadow picture;

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, vec4(textureLod(picture, vec3(pixel, 0.5), 0.0)));
}
