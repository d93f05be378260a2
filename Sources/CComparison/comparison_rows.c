#include "comparison_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *comparison_memory(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) {
    fprintf(stderr, "out of memory for a comparison: %zu bytes\n", count * size);
    abort();
  }
  return memory;
}

static float from_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

static float half_value(uint16_t half) {
  // As a float with the half's exponent the number is 2^112 times too small; what is not finite gets the largest exponent.
  const uint32_t bits = (uint32_t)(half & 0x7fff) << 13;
  const float magnitude = (half & 0x7c00) == 0x7c00 ? from_bits(bits | 0x7f800000) : from_bits(bits) * 0x1p112f;
  return half & 0x8000 ? -magnitude : magnitude;
}

static float denormal_to_zero(float value, float smallest) { return value < smallest && value > -smallest ? 0.0f : value; }

static float channel_value(const comparison_pair *pair, const comparison_picture *picture, size_t index) {
  float value;
  switch (picture->kind) {
  case COMPARISON_UNORM8: value = (float)((const uint8_t *)picture->pixels)[index]; return pair->white == 255 ? value : pair->white == 1 ? value / 255.0f : value * 257.0f;
  case COMPARISON_UNORM16: value = (float)((const uint16_t *)picture->pixels)[index]; return pair->white == 1 ? value / 65535.0f : value;
  case COMPARISON_HALF:
    value = half_value(((const uint16_t *)picture->pixels)[index]);
    return pair->denormals == COMPARISON_FLUSH ? denormal_to_zero(value, 0x1p-14f) : value;
  case COMPARISON_FLOAT:
    value = ((const float *)picture->pixels)[index];
    return pair->denormals == COMPARISON_FLUSH ? denormal_to_zero(value, 0x1p-126f) : value;
  }
  return 0;
}

// Four channels of 8 bits, the common case, without a branch.
COMPARISON_WIDE static void read_rgba8(const uint32_t *pixels, size_t width, float scale, float *planes, size_t stride) {
  float *red = planes, *green = planes + stride, *blue = planes + 2 * stride, *alpha = planes + 3 * stride;
  for (size_t x = 0; x < width; x++) {
    const uint32_t pixel = pixels[x];
    red[x] = (float)(int32_t)(pixel & 0xff) * scale;
    green[x] = (float)(int32_t)(pixel >> 8 & 0xff) * scale;
    blue[x] = (float)(int32_t)(pixel >> 16 & 0xff) * scale;
    alpha[x] = (float)(int32_t)(pixel >> 24) * scale;
  }
}

// Four floats, the common case of pictures of light.
COMPARISON_WIDE static void read_rgba32f(const float *pixels, size_t width, float *planes, size_t stride) {
  float *red = planes, *green = planes + stride, *blue = planes + 2 * stride, *alpha = planes + 3 * stride;
  for (size_t x = 0; x < width; x++) {
    red[x] = pixels[4 * x];
    green[x] = pixels[4 * x + 1];
    blue[x] = pixels[4 * x + 2];
    alpha[x] = pixels[4 * x + 3];
  }
}

static void premultiply(const comparison_pair *pair, float *planes, size_t stride) {
  for (size_t channel = 0; channel < 3; channel++) {
    for (size_t x = 0; x < pair->width; x++) {
      const float value = planes[channel * stride + x] * planes[3 * stride + x] / pair->white;
      planes[channel * stride + x] = pair->white == 1 ? value : rintf(value);
    }
  }
}

void comparison_read_planes(const comparison_pair *pair, const comparison_picture *picture, size_t y, float *planes, size_t stride) {
  const size_t width = pair->width;
  if (picture->kind == COMPARISON_UNORM8 && picture->channels == 4 && pair->white != 1) {
    read_rgba8((const uint32_t *)picture->pixels + y * width, width, pair->white == 255 ? 1.0f : 257.0f, planes, stride);
  } else if (picture->kind == COMPARISON_FLOAT && picture->channels == 4 && pair->denormals != COMPARISON_FLUSH) {
    read_rgba32f((const float *)picture->pixels + 4 * y * width, width, planes, stride);
  } else {
    for (size_t channel = 0; channel < 4; channel++) {
      for (size_t x = 0; x < width; x++) {
        planes[channel * stride + x] = channel < picture->channels
                                           ? channel_value(pair, picture, (y * width + x) * picture->channels + channel)
                                           : channel == 3 ? pair->white : 0.0f;
      }
    }
  }
  if (picture->is_opaque) {
    for (size_t x = 0; x < width; x++) planes[3 * stride + x] = pair->white;
  }
  if (picture->premultiplies) premultiply(pair, planes, stride);
}

void comparison_read_row(const comparison_pair *pair, const comparison_picture *picture, size_t y, float *planes) {
  comparison_read_planes(pair, picture, y, planes, pair->width);
}

static const float red_share = 0.2126f, green_share = 0.7152f, blue_share = 0.0722f;

COMPARISON_WIDE static void weigh(const float *planes, size_t width, float *luma) {
  const float *red = planes, *green = planes + width, *blue = planes + 2 * width;
  for (size_t x = 0; x < width; x++) luma[x] = red_share * red[x] + green_share * green[x] + blue_share * blue[x];
}

COMPARISON_WIDE static void weigh_rgba8(const uint32_t *pixels, size_t width, float *luma) {
  for (size_t x = 0; x < width; x++) {
    const float red = (float)(int32_t)(pixels[x] & 0xff), green = (float)(int32_t)(pixels[x] >> 8 & 0xff);
    luma[x] = red_share * red + green_share * green + blue_share * (float)(int32_t)(pixels[x] >> 16 & 0xff);
  }
}

void comparison_read_luma(const comparison_pair *pair, const comparison_picture *picture, size_t y, float *planes, float *luma) {
  if (comparison_is_rgba8(pair)) {
    weigh_rgba8((const uint32_t *)picture->pixels + y * pair->width, pair->width, luma);
    return;
  }
  comparison_read_row(pair, picture, y, planes);
  weigh(planes, pair->width, luma);
}

bool comparison_is_rgba8(const comparison_pair *pair) {
  const comparison_picture *pictures[2] = {&pair->actual, &pair->reference};
  for (int i = 0; i < 2; i++) {
    if (pictures[i]->kind != COMPARISON_UNORM8 || pictures[i]->channels != 4 || pictures[i]->premultiplies) return false;
  }
  return true;
}

void comparison_read_pixel(const comparison_picture *picture, size_t index, float values[4]) {
  const float white = picture->kind == COMPARISON_UNORM8 ? 255 : picture->kind == COMPARISON_UNORM16 ? 65535 : 1;
  const comparison_pair pair = {.width = 1, .height = 1, .white = white, .unit = 1};
  for (uint32_t channel = 0; channel < 4; channel++) {
    values[channel] = channel < picture->channels ? channel_value(&pair, picture, index * picture->channels + channel)
                      : channel == 3              ? white
                                                  : 0.0f;
  }
  if (picture->is_opaque) values[3] = white;
}

static void hide_color(const comparison_pair *pair, float *a, float *b) {
  const size_t width = pair->width;
  for (size_t x = 0; x < width; x++) {
    if (a[3 * width + x] != 0 || b[3 * width + x] != 0) continue;
    for (size_t channel = 0; channel < 3; channel++) a[channel * width + x] = b[channel * width + x] = 0;
  }
}

static void drop_nonfinite(float *a, float *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(a[i]) || !isfinite(b[i])) a[i] = b[i] = 0;
  }
}

void comparison_read_visible_rows(const comparison_pair *pair, size_t y, float *actual, float *reference) {
  comparison_read_row(pair, &pair->actual, y, actual);
  comparison_read_row(pair, &pair->reference, y, reference);
  if (pair->white == 1) drop_nonfinite(actual, reference, 4 * pair->width);
  if (pair->ignores_hidden_color) hide_color(pair, actual, reference);
}

void comparison_read_visible_luma(const comparison_pair *pair, size_t y, float *planes, float *actual, float *reference) {
  if (comparison_is_rgba8(pair) && !pair->ignores_hidden_color) {
    comparison_read_luma(pair, &pair->actual, y, planes, actual);
    comparison_read_luma(pair, &pair->reference, y, planes, reference);
    return;
  }
  comparison_read_visible_rows(pair, y, planes, planes + 4 * pair->width);
  weigh(planes, pair->width, actual);
  weigh(planes + 4 * pair->width, pair->width, reference);
}
