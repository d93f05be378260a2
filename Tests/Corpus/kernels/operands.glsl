// A kernel that is a function of four words: `evaluate` gets a row of operands for each pixel and returns four words.

#include "region.glsl"

layout(std140, set = 0, binding = 0) uniform Operands { uvec4 operands[1024]; };

uvec4 evaluate(uvec4 words);

void main() {
  ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
  finish(pixel, evaluate(operands[pixel.y * 32 + pixel.x]));
}

uvec4 bits(vec4 value) { return floatBitsToUint(value); }
vec4 floats(uvec4 words) { return uintBitsToFloat(words); }
