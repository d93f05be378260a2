#include "comparison_light.h"

#include <math.h>
#include <stdlib.h>

static float decoded(float value) {
  const float magnitude = fabsf(value);
  const float light = magnitude <= 0.04045f ? magnitude / 12.92f : powf((magnitude + 0.055f) / 1.055f, 2.4f);
  return copysignf(light, value);
}

comparison_light comparison_make_light(const comparison_pair *pair) {
  if (pair->white == 1) return (comparison_light){NULL};
  const size_t count = (size_t)pair->white + 1;
  float *table = comparison_memory(count, sizeof(float));
  for (size_t i = 0; i < count; i++) table[i] = decoded((float)i / pair->white);
  return (comparison_light){table};
}

void comparison_free_light(comparison_light *light) { free(light->table); }

void comparison_decode_light(const comparison_light *light, const float *numbers, size_t count, float *decoded_numbers) {
  if (light->table) {
    for (size_t i = 0; i < count; i++) decoded_numbers[i] = light->table[(size_t)(int32_t)numbers[i]];
  } else {
    for (size_t i = 0; i < count; i++) decoded_numbers[i] = decoded(numbers[i]);
  }
}

void comparison_decode_rgba8(const comparison_light *light, const uint8_t *pixels, size_t count, float *red, float *green, float *blue) {
  for (size_t i = 0; i < count; i++) {
    red[i] = light->table[pixels[4 * i]];
    green[i] = light->table[pixels[4 * i + 1]];
    blue[i] = light->table[pixels[4 * i + 2]];
  }
}
