// Goes through both pictures from the top: rows enter the rings, and a row is judged as soon as all rows around it are there.

#include "comparison_flip.h"
#include "comparison_light.h"

#include <stdlib.h>
#include <string.h>

// A row of both pictures as light from 0 to 1.
static void read_light(const comparison_pair *pair, const comparison_light *light, size_t y, float *actual, float *reference) {
  comparison_read_visible_rows(pair, y, actual, reference);
  float *rows[2] = {actual, reference};
  for (size_t i = 0; i < 2; i++) {
    for (size_t x = 0; x < 3 * pair->width; x++) {
      const float number = rows[i][x];
      rows[i][x] = number < 0 ? 0 : number > pair->white ? pair->white : number;
    }
    comparison_decode_light(light, rows[i], 3 * pair->width, rows[i]);
  }
}

void comparison_flip(const comparison_pair *pair, float pixels_per_degree, float *map) {
  const flip_filters filters = flip_make_filters(pixels_per_degree);
  const size_t width = pair->width, height = pair->height, sights = (FLIP_SIGHTS + 1) * width;
  comparison_light light = comparison_make_light(pair);
  flip_ring rings[2] = {flip_make_ring(&filters, width), flip_make_ring(&filters, width)};
  float *memory = comparison_memory(8 * width + 2 * sights, sizeof(float)), *rows[2] = {memory, memory + 4 * width};
  float *seen[2] = {memory + 8 * width, memory + 8 * width + sights};
  size_t entered = 0;
  for (size_t y = 0; y < height; y++) {
    for (; entered < height && entered <= y + filters.radius; entered++) {
      read_light(pair, &light, entered, rows[0], rows[1]);
      for (size_t i = 0; i < 2; i++) flip_push_row(&filters, &rings[i], entered, rows[i]);
    }
    for (size_t i = 0; i < 2; i++) flip_see_row(&filters, &rings[i], y, height, seen[i]);
    flip_judge_row(seen[0], seen[1], width, map + y * width);
  }
  comparison_free_light(&light);
  for (size_t i = 0; i < 2; i++) flip_free_ring(&rings[i]);
  free(memory);
}
