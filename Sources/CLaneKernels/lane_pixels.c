// Packed pixels, and the floats that textures hold in their place.

#define LANES 4
#include "lane_kernels.h"
#include "lane_math.inc"

static float half_value(const uint8_t *bytes) {
  uint16_t half;
  __builtin_memcpy(&half, bytes, 2);
  return lane_half_to_float((vu)(uint32_t)half)[0];
}

static float channel_value(int format, const uint8_t *bytes) {
  uint16_t word;
  float value;
  switch (format) {
  case LANE_FORMAT_R8:
  case LANE_FORMAT_RG8:
  case LANE_FORMAT_RGBA8: return (float)bytes[0] / 255.0f;
  case LANE_FORMAT_R16:
  case LANE_FORMAT_RG16:
  case LANE_FORMAT_RGBA16:
    __builtin_memcpy(&word, bytes, 2);
    return (float)word / 65535.0f;
  case LANE_FORMAT_R16F:
  case LANE_FORMAT_RG16F:
  case LANE_FORMAT_RGBA16F: return half_value(bytes);
  default: __builtin_memcpy(&value, bytes, 4); return value;
  }
}

static void layout(int format, size_t *channels, size_t *channel_bytes) {
  static const uint8_t layouts[][2] = {
      [LANE_FORMAT_R8] = {1, 1},   [LANE_FORMAT_RG8] = {2, 1},   [LANE_FORMAT_RGBA8] = {4, 1},   [LANE_FORMAT_R16] = {1, 2},
      [LANE_FORMAT_RG16] = {2, 2}, [LANE_FORMAT_RGBA16] = {4, 2}, [LANE_FORMAT_R16F] = {1, 2}, [LANE_FORMAT_RG16F] = {2, 2},   [LANE_FORMAT_RGBA16F] = {4, 2},
      [LANE_FORMAT_R32F] = {1, 4}, [LANE_FORMAT_RG32F] = {2, 4}, [LANE_FORMAT_RGBA32F] = {4, 4}};
  *channels = layouts[format][0];
  *channel_bytes = layouts[format][1];
}

/// Decodes channels that lie one after the other on both sides.
static void decode_channels(int format, const uint8_t *bytes, size_t channel_bytes, size_t count, float *values) {
  if (channel_bytes == 1) {
    for (size_t i = 0; i < count; i++) values[i] = (float)bytes[i] / 255.0f;
    return;
  }
  for (size_t i = 0; i < count; i++) values[i] = channel_value(format, bytes + i * channel_bytes);
}

void lane_decode_pixels(int format, const void *pixels, size_t count, float *texels, int32_t texel, size_t first) {
  size_t channels, channel_bytes;
  layout(format, &channels, &channel_bytes);
  const uint8_t *bytes = pixels;
  if (texel == LANE_TEXEL_BYTE) {
    __builtin_memcpy((uint8_t *)texels + first, bytes, count);
    return;
  }
  texels += first * (texel == LANE_TEXEL_FLOAT ? 1 : 4);
  if (texel == LANE_TEXEL_FLOAT || channels == 4) {
    decode_channels(format, bytes, channel_bytes, count * channels, texels);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < 4; k++) {
      if (k < channels) {
        texels[4 * i + k] = channel_value(format, bytes);
        bytes += channel_bytes;
      } else {
        texels[4 * i + k] = k == 3 ? 1.0f : 0.0f;
      }
    }
  }
}

static void store_channel(int format, float value, uint8_t *bytes) {
  const vf lanes = (vf)value;
  uint16_t word;
  switch (format) {
  case LANE_FORMAT_R8:
  case LANE_FORMAT_RG8:
  case LANE_FORMAT_RGBA8: bytes[0] = (uint8_t)lane_to_unorm(lanes, 255.0f)[0]; return;
  case LANE_FORMAT_R16:
  case LANE_FORMAT_RG16:
  case LANE_FORMAT_RGBA16: word = (uint16_t)lane_to_unorm(lanes, 65535.0f)[0]; break;
  case LANE_FORMAT_R16F:
  case LANE_FORMAT_RG16F:
  case LANE_FORMAT_RGBA16F: word = (uint16_t)lane_float_to_half(lanes)[0]; break;
  default: __builtin_memcpy(bytes, &value, 4); return;
  }
  __builtin_memcpy(bytes, &word, 2);
}

void lane_encode_pixels(int format, const float *texels, int32_t texel, size_t first, size_t count, void *pixels) {
  size_t channels, channel_bytes;
  layout(format, &channels, &channel_bytes);
  uint8_t *bytes = pixels;
  if (texel == LANE_TEXEL_BYTE) {
    __builtin_memcpy(bytes, (const uint8_t *)texels + first, count);
    return;
  }
  const size_t floats = texel == LANE_TEXEL_FLOAT ? 1 : 4;
  for (size_t i = first; i < first + count; i++) {
    for (size_t k = 0; k < channels; k++) {
      store_channel(format, texels[floats * i + k], bytes);
      bytes += channel_bytes;
    }
  }
}
