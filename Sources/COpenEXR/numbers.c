// Numbers of sixteen bits and floats, with shifts and selections alone, so that the compiler works on several at once on every machine
// (IEEE 754-2008, binary16).
#include "libraries.h"

#include <string.h>

static inline float float_of(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static inline uint32_t bits_of(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static inline float float_from_half(uint16_t half) {
  const uint32_t bias = (127 - 15) << 23;
  uint32_t magnitude = (uint32_t)(half & 0x7FFF) << 13;
  uint32_t exponent = magnitude & (0x7C00u << 13);
  // Small numbers have no leading one: they are given one, which is taken away again.
  uint32_t small = bits_of(float_of(magnitude + bias + (1u << 23)) - float_of(113u << 23));
  uint32_t bits = exponent == 0 ? small : exponent == 0x7C00u << 13 ? magnitude + 2 * bias : magnitude + bias;
  return float_of(bits | (uint32_t)(half & 0x8000) << 16);
}

void etalon_exr_floats_from_halves(const uint8_t *halves, size_t count, float *floats) {
  for (size_t index = 0; index < count; index++) {
    uint16_t half;
    memcpy(&half, halves + 2 * index, sizeof half);
    floats[index] = float_from_half(half);
  }
}

// Rounds to the nearest, of two equally near ones to the even one; what is larger than every half becomes infinity.
static inline uint16_t half_from_float(float number) {
  uint32_t bits = bits_of(number);
  uint32_t sign = bits & 0x80000000u;
  uint32_t magnitude = bits ^ sign;
  // The addition rounds where the number is so small that a half has fewer bits for it.
  const uint32_t shift = ((127 - 15) + (23 - 10) + 1) << 23;
  uint32_t small = bits_of(float_of(magnitude) + float_of(shift)) - shift;
  uint32_t usual = (magnitude - ((127u - 15u) << 23) + 0xFFF + ((magnitude >> 13) & 1)) >> 13;
  uint32_t large = magnitude > 0x7F800000u ? 0x7E00 : 0x7C00;
  uint32_t half = magnitude >= (143u << 23) ? large : magnitude < (113u << 23) ? small : usual;
  return (uint16_t)(half | sign >> 16);
}

void etalon_exr_halves_from_pixels(const float *pixels, size_t count, uint8_t *halves) {
  for (size_t index = 0; index < count; index++) {
    uint16_t half = half_from_float(pixels[4 * index]);
    memcpy(halves + 2 * index, &half, sizeof half);
  }
}

void etalon_exr_place(const EtalonEXRTarget *target, int32_t channel, int32_t row, int32_t left, int32_t width, const float *numbers) {
  const EtalonEXRWindow *display = &target->display;
  if (row < display->top || row > display->bottom) return;
  int64_t first = left < display->left ? display->left : left;
  int64_t end = (int64_t)left + width;
  if (end > (int64_t)display->right + 1) end = (int64_t)display->right + 1;
  if (first >= end) return;
  size_t span = (size_t)((int64_t)display->right - display->left + 1);
  float *line = target->pixels + 4 * (span * (size_t)((int64_t)row - display->top) + (size_t)(first - display->left));
  const float *given = numbers + (first - left);
  for (int component = 0; component < 4; component++) {
    if (target->sources[component] != channel) continue;
    for (int64_t index = 0; index < end - first; index++) line[4 * index + component] = given[index];
  }
}
