// The pass over the pixels in front of the compressor: filter, drop alpha, swap bytes.
//
// SUB and UP subtract another pixel byte by byte, and dropping alpha or swapping the two bytes of a sample only permutes bytes; so every case is
// one subtraction of two runs of source pixels followed by one permutation. SUB's second run starts one pixel to the left, UP's one row up.
#include "cpng.h"

#include <string.h>

enum { FILTER_SUB = 1, FILTER_UP = 2 };

static size_t source_pixel_size(cpng_layout layout) { return layout == CPNG_RGB8 || layout == CPNG_RGBA8 ? 4 : 8; }

static size_t file_pixel_size(cpng_layout layout) {
  switch (layout) {
    case CPNG_RGB8: return 3;
    case CPNG_RGBA8: return 4;
    case CPNG_RGB16: return 6;
    case CPNG_RGBA16: return 8;
  }
  return 0;
}

size_t cpng_filtered_row_size(size_t width, cpng_layout layout) { return 1 + width * file_pixel_size(layout); }

// Written with constant strides so that compilers turn them into interleaved loads and stores where the processor has those.
static void difference_scalar(uint8_t *restrict out, const uint8_t *a, const uint8_t *b, size_t pixels, cpng_layout layout) {
  switch (layout) {
    case CPNG_RGB8:
      for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < 3; c++) out[3 * i + c] = (uint8_t)(a[4 * i + c] - b[4 * i + c]);
      break;
    case CPNG_RGBA8:
      for (size_t i = 0; i < 4 * pixels; i++) out[i] = (uint8_t)(a[i] - b[i]);
      break;
    case CPNG_RGB16:
      for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < 6; c++) out[6 * i + c] = (uint8_t)(a[8 * i + (c ^ 1)] - b[8 * i + (c ^ 1)]);
      break;
    case CPNG_RGBA16:
      for (size_t i = 0; i < 8 * pixels; i++) out[i] = (uint8_t)(a[i ^ 1] - b[i ^ 1]);
      break;
  }
}

#if defined(__x86_64__)
#include <immintrin.h>

// 16 source bytes a step; a step writes 16 bytes of which the next one overwrites the unused end.
__attribute__((target("ssse3"))) static size_t difference_ssse3(
    uint8_t *out, const uint8_t *a, const uint8_t *b, size_t pixels, cpng_layout layout) {
  static const uint8_t order[4][16] = {
      {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 128, 128, 128, 128},
      {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
      {1, 0, 3, 2, 5, 4, 9, 8, 11, 10, 13, 12, 128, 128, 128, 128},
      {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14},
  };
  __m128i permutation = _mm_loadu_si128((const __m128i *)order[layout]);
  size_t step = 16 / source_pixel_size(layout);
  size_t out_step = step * file_pixel_size(layout);
  size_t done = 0;
  for (; done + step <= pixels; done += step) {
    __m128i difference = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)a), _mm_loadu_si128((const __m128i *)b));
    _mm_storeu_si128((__m128i *)out, _mm_shuffle_epi8(difference, permutation));
    a += 16;
    b += 16;
    out += out_step;
  }
  return done;
}

static size_t difference_simd(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t pixels, cpng_layout layout) {
  return __builtin_cpu_supports("ssse3") ? difference_ssse3(out, a, b, pixels, layout) : 0;
}
#else
static size_t difference_simd(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t pixels, cpng_layout layout) {
  (void)out, (void)a, (void)b, (void)pixels, (void)layout;
  return 0;
}
#endif

static void difference(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t pixels, cpng_layout layout) {
  size_t done = difference_simd(out, a, b, pixels, layout);
  size_t source = done * source_pixel_size(layout);
  difference_scalar(out + done * file_pixel_size(layout), a + source, b + source, pixels - done, layout);
}

void cpng_filter_row(uint8_t *out, const uint8_t *row, const uint8_t *above, size_t width, cpng_layout layout) {
  if (above) {
    *out = FILTER_UP;
    difference(out + 1, row, above, width, layout);
    return;
  }
  static const uint8_t nothing[8] = {0};
  size_t source = source_pixel_size(layout);
  *out = FILTER_SUB;
  difference_scalar(out + 1, row, nothing, 1, layout);
  difference(out + 1 + file_pixel_size(layout), row + source, row, width - 1, layout);
}

// Sums of byte differences taken as signed numbers; blocks keep the sums in 16 bits, which processors add eight or more at a time.
static uint64_t distance(const uint8_t *a, const uint8_t *b, size_t count) {
  uint64_t sum = 0;
  while (count > 0) {
    size_t block = count < 256 ? count : 256;
    uint16_t part = 0;
    for (size_t i = 0; i < block; i++) {
      uint8_t up = (uint8_t)(a[i] - b[i]);
      uint8_t down = (uint8_t)(b[i] - a[i]);
      part = (uint16_t)(part + (up < down ? up : down));
    }
    sum += part;
    a += block;
    b += block;
    count -= block;
  }
  return sum;
}

void cpng_filter_costs(const uint8_t *row, const uint8_t *above, size_t width, cpng_layout layout, uint64_t *sub, uint64_t *up) {
  size_t pixel = source_pixel_size(layout);
  *sub = distance(row + pixel, row, (width - 1) * pixel);
  *up = distance(row + pixel, above + pixel, (width - 1) * pixel);
}

// In blocks, so that the reduction inside a block vectorises and a transparent picture is known early.
bool cpng_is_opaque8(const uint8_t *pixels, size_t count) {
  while (count > 0) {
    size_t block = count < 4096 ? count : 4096;
    uint32_t all = 0xFFFFFFFF;
    for (size_t i = 0; i < block; i++) {
      uint32_t pixel;
      memcpy(&pixel, pixels + 4 * i, 4);
      all &= pixel;
    }
    uint8_t channels[4];
    memcpy(channels, &all, 4);
    if (channels[3] != 0xFF) return false;
    pixels += 4 * block;
    count -= block;
  }
  return true;
}

bool cpng_is_opaque16(const uint8_t *pixels, size_t count) {
  while (count > 0) {
    size_t block = count < 4096 ? count : 4096;
    uint64_t all = ~(uint64_t)0;
    for (size_t i = 0; i < block; i++) {
      uint64_t pixel;
      memcpy(&pixel, pixels + 8 * i, 8);
      all &= pixel;
    }
    uint8_t channels[8];
    memcpy(channels, &all, 8);
    if (channels[6] != 0xFF || channels[7] != 0xFF) return false;
    pixels += 8 * block;
    count -= block;
  }
  return true;
}
