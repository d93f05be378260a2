// Goes through both pictures from the top: rows enter the rings, and a row is judged as soon as all rows around it are there.

#include "comparison_flip.h"
#include "comparison_light.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How rows become light from 0 to 1: integers and numbers that are encoded by the curve, floats by an exposure and a film's response.
typedef struct {
  comparison_light curve;
  bool is_exposed;
  float factor;
} light_reader;

static void decode(const comparison_pair *pair, const light_reader *reader, float *row) {
  for (size_t x = 0; x < 3 * pair->width; x++) row[x] = row[x] < 0 ? 0 : row[x] > pair->white ? pair->white : row[x];
  comparison_decode_light(&reader->curve, row, 3 * pair->width, row);
}

static void read_light(const comparison_pair *pair, const light_reader *reader, size_t y, float *rows[2]) {
  comparison_read_visible_rows(pair, y, rows[0], rows[1]);
  for (size_t i = 0; i < 2; i++) {
    if (reader->is_exposed) {
      flip_expose_row(rows[i], 3 * pair->width, reader->factor);
    } else {
      decode(pair, reader, rows[i]);
    }
  }
}

static void keep_largest(float *map, const float *errors, size_t width) {
  for (size_t x = 0; x < width; x++) map[x] = errors[x] > map[x] ? errors[x] : map[x];
}

// Judges every row; what is in the map stays where it is larger.
static void judge_rows(const comparison_pair *pair, const flip_filters *filters, const light_reader *reader, float *map) {
  const size_t width = pair->width, height = pair->height, sights = (FLIP_SIGHTS + 1) * width;
  flip_ring rings[2] = {flip_make_ring(filters, width), flip_make_ring(filters, width)};
  float *memory = comparison_memory(9 * width + 2 * sights, sizeof(float)), *rows[2] = {memory, memory + 4 * width};
  float *seen[2] = {memory + 8 * width, memory + 8 * width + sights}, *errors = memory + 8 * width + 2 * sights;
  size_t entered = 0;
  for (size_t y = 0; y < height; y++) {
    for (; entered < height && entered <= y + filters->radius; entered++) {
      read_light(pair, reader, entered, rows);
      for (size_t i = 0; i < 2; i++) flip_push_row(filters, &rings[i], entered, rows[i]);
    }
    for (size_t i = 0; i < 2; i++) flip_see_row(filters, &rings[i], y, height, seen[i]);
    flip_judge_row(seen[0], seen[1], width, errors);
    keep_largest(map + y * width, errors, width);
  }
  for (size_t i = 0; i < 2; i++) flip_free_ring(&rings[i]);
  free(memory);
}

void comparison_flip(const comparison_pair *pair, float pixels_per_degree, const comparison_exposures *exposures, float *map) {
  const flip_filters filters = flip_make_filters(pixels_per_degree);
  memset(map, 0, pair->width * pair->height * sizeof(float));
  if (exposures) {
    const float steps = (float)(exposures->count > 1 ? exposures->count - 1 : 1);
    for (uint32_t i = 0; i < exposures->count; i++) {
      const float exposure = exposures->start + (float)i * ((exposures->stop - exposures->start) / steps);
      const light_reader reader = {.is_exposed = true, .factor = exp2f(exposure)};
      judge_rows(pair, &filters, &reader, map);
    }
  } else {
    light_reader reader = {.curve = comparison_make_light(pair)};
    judge_rows(pair, &filters, &reader, map);
    comparison_free_light(&reader.curve);
  }
}
