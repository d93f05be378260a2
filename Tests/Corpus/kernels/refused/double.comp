// refused: 64-bit floats
// line: 9
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  double x = double(pixel.x) * 0.1lf;
  finish(pixel, vec4(float(x)));
}
