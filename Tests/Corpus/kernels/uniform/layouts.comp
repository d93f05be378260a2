// Arrays, matrices of both layouts and structures in a uniform block; every word holds its own number.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../region.glsl"

struct Part { vec2 v; mat2 m; };
layout(std140, set = 0, binding = 0) uniform Block {
  float a;
  vec3 b;
  mat3 c;
  layout(row_major) mat2x3 d;
  float e[3];
  Part parts[2];
  float last;
};

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  int n = pixel.y * 32 + pixel.x;
  vec4 result = vec4(e[n % 3], c[n % 3][n / 3 % 3], d[n % 2][n / 2 % 3], parts[n % 2].m[n / 2 % 2][n / 4 % 2]);
  if (n % 5 == 4) result = vec4(a, b[n % 3], parts[n % 2].v.y, last);
  finish(pixel, result);
}
