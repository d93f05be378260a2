// Pictures of differences.

#include "comparison_math.h"
#include "comparison_rows.h"

#include <stdlib.h>

static uint8_t shade(float a, float b, float gain) {
  if (!isfinite(a) || !isfinite(b)) return isfinite(a) != isfinite(b) ? 255 : 0;
  const float value = fabsf(a - b) * gain;
  return value >= 255 ? 255 : (uint8_t)(value + 0.5f);
}

void comparison_paint_difference(const comparison_pair *pair, bool of_alpha, float gain, uint8_t *pixels) {
  const size_t width = pair->width;
  const float factor = gain * 255 / pair->white;
  float *a = comparison_memory(8 * width, sizeof(float)), *b = a + 4 * width;
  for (size_t y = 0; y < pair->height; y++) {
    comparison_read_row(pair, &pair->actual, y, a);
    comparison_read_row(pair, &pair->reference, y, b);
    for (size_t x = 0; x < width; x++) {
      uint8_t *pixel = pixels + 4 * (y * width + x);
      for (size_t channel = 0; channel < 3; channel++) {
        const size_t place = (of_alpha ? 3 : channel) * width + x;
        pixel[channel] = shade(a[place], b[place], factor);
      }
      pixel[3] = 255;
    }
  }
  free(a);
}

static size_t palette_place(float value, float scale, bool is_logarithmic) {
  const float place = (is_logarithmic ? comparison_log2(1 + value) : value) * scale;
  if (place >= 255) return 255;
  // What differs at all is never as dark as what does not.
  const size_t index = (size_t)(place + 0.5f);
  return value > 0 && index == 0 ? 1 : index;
}

void comparison_paint_map(const float *map, size_t count, float scale, bool is_logarithmic, const uint8_t palette[1024], uint8_t *pixels) {
  static const uint8_t cyan[4] = {0, 255, 255, 255};
  for (size_t i = 0; i < count; i++) {
    const uint8_t *color = map[i] == INFINITY ? cyan : palette + 4 * palette_place(map[i], scale, is_logarithmic);
    memcpy(pixels + 4 * i, color, 4);
  }
}
