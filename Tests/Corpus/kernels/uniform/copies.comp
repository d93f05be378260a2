// Whole structures and matrices from a uniform block.
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

float total(Part part) { return part.v.x + part.v.y + part.m[0][1] - part.m[1][0]; }

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  int n = pixel.y * 32 + pixel.x;
  Part part = parts[n & 1];
  mat2x3 copy = d;
  float values[3] = e;
  vec3 product = c * vec3(1, 0, n & 1);
  finish(pixel, vec4(total(part), copy[1][n % 3], values[n % 3] + values[0], product[n % 3]));
}
