// Structures, matrices and arrays of vectors in shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

struct Cell { vec3 position; mat2 weights; };
shared Cell cells[256];
shared mat4 table;

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint lane = gl_LocalInvocationIndex;
  cells[lane].position = vec3(words.xyz);
  cells[lane].weights[1] = vec2(words.w, lane);
  table[lane & 3u][lane >> 6] = float(lane);
  barrier();
  Cell other = cells[lane ^ 5u];
  return bits(vec4(other.position.z, other.weights[1].x + other.weights[1].y, cells[255u - lane].position[lane % 3u], table[words.x & 3u][words.y & 3u]));
}
