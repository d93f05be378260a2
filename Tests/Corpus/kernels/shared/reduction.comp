// Sums and maxima over a workgroup with barriers in a loop; the other end of the workgroup.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

shared uint sums[256], largest[256];
shared vec2 values[256];

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint lane = gl_LocalInvocationIndex;
  sums[lane] = words.x;
  largest[lane] = words.y;
  values[lane] = v.zw;
  barrier();
  for (uint width = 128u; width > 0u; width /= 2u) {
    if (lane < width) {
      sums[lane] += sums[lane + width];
      largest[lane] = max(largest[lane], largest[lane + width]);
    }
    barrier();
  }
  return uvec4(sums[0], largest[0], floatBitsToUint(values[255u - lane]));
}
