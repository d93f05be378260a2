// Mipmap levels of textures as the executor holds them: four floats for each texel, which are numbers of the texture's format.

#define LANES 4
#include "lane_kernels.h"
#include "lane_math.inc"

/// How much each of the one to three texels counts that a texel of the next level covers along one side.
typedef struct {
  int count;
  uint32_t parts[3], total;
} cover;

static cover cover_of(int32_t index, int32_t side) {
  if (side == 1) return (cover){1, {1, 0, 0}, 1};
  if (side % 2 == 0) return (cover){2, {1, 1, 0}, 2};
  const uint32_t half = (uint32_t)side / 2;
  return (cover){3, {half - (uint32_t)index, half, (uint32_t)index + 1}, (uint32_t)side};
}

/// Whole numbers up to `largest`: summed exactly, halves rounded up.
static vf whole_mean(const vf *texels, int32_t width, cover columns, cover rows, float largest) {
  const uint64_t total = (uint64_t)columns.total * rows.total;
  vf result;
  for (int channel = 0; channel < 4; channel++) {
    uint64_t sum = 0;
    for (int row = 0; row < rows.count; row++) {
      uint64_t row_sum = 0;
      for (int column = 0; column < columns.count; column++) {
        const float value = texels[(size_t)row * (size_t)width + (size_t)column][channel];
        row_sum += columns.parts[column] * (uint64_t)(value * largest + 0.5f);
      }
      sum += rows.parts[row] * row_sum;
    }
    result[channel] = (float)((2 * sum + total) / (2 * total)) / largest;
  }
  return result;
}

/// Numbers with a point: in single precision, in this order.
static vf mean_along(cover along, vf first, vf second, vf third) {
  if (along.count == 1) return first;
  if (along.count == 2) return first * 0.5f + second * 0.5f;
  const float inverse = 1.0f / (float)along.total;
  const float first_part = (float)along.parts[0] * inverse, third_part = (float)along.parts[2] * inverse;
  return second + ((first - second) * first_part + (third - second) * third_part);
}

static vf row_mean(const vf *texels, cover columns) {
  return mean_along(columns, texels[0], texels[columns.count > 1 ? 1 : 0], texels[columns.count > 2 ? 2 : 0]);
}

static vf float_mean(const vf *texels, int32_t width, cover columns, cover rows) {
  const vf first = row_mean(texels, columns);
  const vf second = rows.count > 1 ? row_mean(texels + width, columns) : first;
  return mean_along(rows, first, second, rows.count > 2 ? row_mean(texels + 2 * (size_t)width, columns) : first);
}

static vf texel_mean(int format, const vf *texels, int32_t width, cover columns, cover rows) {
  switch (format) {
  case LANE_FORMAT_R8:
  case LANE_FORMAT_RG8:
  case LANE_FORMAT_RGBA8: return whole_mean(texels, width, columns, rows, 255.0f);
  case LANE_FORMAT_R16:
  case LANE_FORMAT_RG16:
  case LANE_FORMAT_RGBA16: return whole_mean(texels, width, columns, rows, 65535.0f);
  case LANE_FORMAT_R16F:
  case LANE_FORMAT_RG16F:
  case LANE_FORMAT_RGBA16F: return lane_half_to_float(lane_float_to_half(float_mean(texels, width, columns, rows)));
  default: return float_mean(texels, width, columns, rows);
  }
}

void lane_halve_texels(int format, const float *texels, int32_t width, int32_t height, float *halved) {
  const vf *const from = (const vf *)(const void *)texels;
  vf *to = (vf *)(void *)halved;
  const int32_t columns = width > 1 ? width / 2 : 1, rows = height > 1 ? height / 2 : 1;
  for (int32_t y = 0; y < rows; y++) {
    for (int32_t x = 0; x < columns; x++) {
      const vf *const corner = from + (size_t)(2 * y) * (size_t)width + (size_t)(2 * x);
      *to++ = texel_mean(format, corner, width, cover_of(x, width), cover_of(y, height));
    }
  }
}
