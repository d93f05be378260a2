// Histograms of 256 bins.

#include "comparison_rows.h"

#include <math.h>
#include <stdlib.h>

static void count_rgba8(const uint8_t *pixels, size_t count, comparison_bins bins[4]) {
  for (size_t i = 0; i < count; i++) {
    for (size_t channel = 0; channel < 4; channel++) bins[channel].counts[pixels[4 * i + channel]]++;
  }
}

static void count_row(const comparison_pair *pair, const float *planes, comparison_bins bins[4]) {
  for (size_t channel = 0; channel < 4; channel++) {
    for (size_t x = 0; x < pair->width; x++) {
      const float value = planes[channel * pair->width + x] / pair->white;
      if (isnan(value)) continue;
      const float clamped = value < 0 ? 0 : value > 1 ? 1 : value;
      bins[channel].counts[(size_t)(clamped * 255.0f + 0.5f)]++;
    }
  }
}

void comparison_histogram(const comparison_pair *pair, bool of_reference, comparison_bins bins[4]) {
  const comparison_picture *picture = of_reference ? &pair->reference : &pair->actual;
  if (comparison_is_rgba8(pair)) {
    const size_t count = pair->width * pair->height;
    count_rgba8(picture->pixels, count, bins);
    if (picture->is_opaque) bins[3] = (comparison_bins){.counts = {[255] = count}};
    return;
  }
  float *planes = comparison_memory(4 * pair->width, sizeof(float));
  for (size_t y = 0; y < pair->height; y++) {
    comparison_read_row(pair, picture, y, planes);
    count_row(pair, planes, bins);
  }
  free(planes);
}

comparison_map_statistics comparison_summarize_map(const float *map, size_t count, uint64_t *bins, size_t bin_count) {
  comparison_map_statistics result = {0};
  for (size_t i = 0; i < count; i++) {
    const size_t bin = map[i] == 0 ? 0 : 1 + (size_t)(map[i] * (float)(bin_count - 1));
    bins[bin < bin_count ? bin : bin_count - 1]++;
    result.sum += map[i];
    if (map[i] > result.largest) result.largest = map[i];
  }
  return result;
}
