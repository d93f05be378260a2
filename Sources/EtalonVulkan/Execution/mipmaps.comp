// Makes one mipmap level from the one before, as `MipmapChain` defines it, bit by bit.
#version 460

layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Level {
  // 0: numbers of 8 bits, 1: of 16 bits, 2: halves, 3: singles.
  int kind;
  // One divided by the width and height of the level before, rounded where the texture's sides are known.
  float inverseWidth;
  float inverseHeight;
  int unused;
};

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform writeonly image2D target;

// How the pixels count that a pixel of the target covers along one side: one, two or three of them.
struct Cover {
  int count;
  uvec3 parts;
  uint total;
};

Cover coverOf(int index, int side) {
  if (side == 1) return Cover(1, uvec3(1u, 0u, 0u), 1u);
  if (side % 2 == 0) return Cover(2, uvec3(1u, 1u, 0u), 2u);
  int half_ = side / 2;
  return Cover(3, uvec3(half_ - index, half_, index + 1), uint(side));
}

// Whole numbers are summed exactly, in 64 bits: x is the low word, y the high one.

uvec2 sum64(uvec2 a, uvec2 b) {
  uint carry;
  uint low = uaddCarry(a.x, b.x, carry);
  return uvec2(low, a.y + b.y + carry);
}

uvec2 product64(uint a, uint b) {
  uint high, low;
  umulExtended(a, b, high, low);
  return uvec2(low, high);
}

bool isBelow(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

uvec2 difference64(uvec2 a, uvec2 b) {
  uint borrow;
  uint low = usubBorrow(a.x, b.x, borrow);
  return uvec2(low, a.y - b.y - borrow);
}

// A quotient of at most 16 bits.
uint quotient(uvec2 dividend, uint divisor) {
  if (dividend.y == 0u) return dividend.x / divisor;
  uint result = 0u;
  for (int bit = 15; bit >= 0; bit--) {
    uvec2 part = uvec2(divisor << bit, bit == 0 ? 0u : divisor >> (32 - bit));
    if (!isBelow(dividend, part)) {
      dividend = difference64(dividend, part);
      result |= 1u << bit;
    }
  }
  return result;
}

vec4 wholeMean(ivec2 corner, Cover columns, Cover rows, float largest) {
  uvec2 sums[4] = uvec2[4](uvec2(0u), uvec2(0u), uvec2(0u), uvec2(0u));
  for (int row = 0; row < rows.count; row++) {
    uvec4 rowSum = uvec4(0u);
    for (int column = 0; column < columns.count; column++) {
      vec4 pixel = texelFetch(source, corner + ivec2(column, row), 0);
      rowSum += columns.parts[column] * uvec4(pixel * largest + 0.5);
    }
    for (int channel = 0; channel < 4; channel++) sums[channel] = sum64(sums[channel], product64(rows.parts[row], rowSum[channel]));
  }
  uint total = columns.total * rows.total;
  vec4 result;
  for (int channel = 0; channel < 4; channel++) {
    uvec2 twice = sum64(sum64(sums[channel], sums[channel]), uvec2(total, 0u));
    result[channel] = float(quotient(twice, 2u * total)) / largest;
  }
  return result;
}

// Numbers with a point are summed in single precision, in this order.
vec4 meanAlong(Cover cover, float inverse, vec4 first, vec4 second, vec4 third) {
  if (cover.count == 1) return first;
  precise vec4 result;
  if (cover.count == 2) {
    result = first * 0.5 + second * 0.5;
  } else {
    precise float firstPart = float(cover.parts.x) * inverse, thirdPart = float(cover.parts.z) * inverse;
    result = second + ((first - second) * firstPart + (third - second) * thirdPart);
  }
  return result;
}

vec4 rowMean(ivec2 start, Cover columns) {
  vec4 first = texelFetch(source, start, 0), second = first, third = first;
  if (columns.count > 1) second = texelFetch(source, start + ivec2(1, 0), 0);
  if (columns.count > 2) third = texelFetch(source, start + ivec2(2, 0), 0);
  return meanAlong(columns, inverseWidth, first, second, third);
}

// The nearest half, ties to even: stores may round in any direction.
float nearestHalf(float value) {
  uint bits = floatBitsToUint(value);
  if ((bits & 0x7fffffffu) >= 0x38800000u) return uintBitsToFloat((bits + 0xfffu + ((bits >> 13) & 1u)) & 0xffffe000u);
  // Below the smallest normal half the steps are those of singles between 0.5 and 1.
  precise float rounded = (abs(value) + 0.75) - 0.75;
  return uintBitsToFloat(floatBitsToUint(rounded) | (bits & 0x80000000u));
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = textureSize(source, 0);
  if (any(greaterThanEqual(pixel, max(size / 2, ivec2(1))))) return;
  Cover columns = coverOf(pixel.x, size.x), rows = coverOf(pixel.y, size.y);
  ivec2 corner = 2 * pixel;
  if (kind < 2) {
    imageStore(target, pixel, wholeMean(corner, columns, rows, kind == 0 ? 255.0 : 65535.0));
    return;
  }
  vec4 first = rowMean(corner, columns), second = first, third = first;
  if (rows.count > 1) second = rowMean(corner + ivec2(0, 1), columns);
  if (rows.count > 2) third = rowMean(corner + ivec2(0, 2), columns);
  vec4 mean = meanAlong(rows, inverseHeight, first, second, third);
  if (kind == 2) mean = vec4(nearestHalf(mean.x), nearestHalf(mean.y), nearestHalf(mean.z), nearestHalf(mean.w));
  imageStore(target, pixel, mean);
}
