// The colors of FLIP: light, contrast channels, and a uniform space in which distances are taken.

#include "comparison_flip.h"
#include "comparison_math.h"

// Light of sRGB to XYZ by its white, and back.
static const float to_xyz[9] = {
    0.433895389f, 0.376242373f, 0.189862239f,
    0.212636822f, 0.715182982f, 0.072180196f,
    0.017752423f, 0.109465629f, 0.872781948f};
static const float from_xyz[9] = {
    3.080341988f, -1.537398969f, -0.542943019f,
    -0.921178396f, 1.875929984f, 0.045248412f,
    0.052881293f, -0.204011206f, 1.151129913f};

COMPARISON_WIDE void flip_light_to_contrast(float *planes, size_t width) {
  float *red = planes, *green = planes + width, *blue = planes + 2 * width;
  for (size_t i = 0; i < width; i++) {
    const float x = to_xyz[0] * red[i] + to_xyz[1] * green[i] + to_xyz[2] * blue[i];
    const float y = to_xyz[3] * red[i] + to_xyz[4] * green[i] + to_xyz[5] * blue[i];
    const float z = to_xyz[6] * red[i] + to_xyz[7] * green[i] + to_xyz[8] * blue[i];
    red[i] = 116 * y - 16;
    green[i] = 500 * (x - y);
    blue[i] = 200 * (y - z);
  }
}

static inline float root_of_light(float t) {
  return t > 216.0f / 24389.0f ? comparison_cube_root(t) : t * (841.0f / 108.0f) + 4.0f / 29.0f;
}

static inline float to_unit(float t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

// Colors that no screen shows are brought back; dark colors look less colorful (Hunt's effect).
COMPARISON_WIDE void flip_contrast_to_lab(float *planes, size_t width) {
  float *first = planes, *second = planes + width, *third = planes + 2 * width;
  for (size_t i = 0; i < width; i++) {
    const float y = (first[i] + 16) / 116, x = y + second[i] / 500, z = y - third[i] / 200;
    const float red = to_unit(from_xyz[0] * x + from_xyz[1] * y + from_xyz[2] * z);
    const float green = to_unit(from_xyz[3] * x + from_xyz[4] * y + from_xyz[5] * z);
    const float blue = to_unit(from_xyz[6] * x + from_xyz[7] * y + from_xyz[8] * z);
    const float u = root_of_light(to_xyz[0] * red + to_xyz[1] * green + to_xyz[2] * blue);
    const float v = root_of_light(to_xyz[3] * red + to_xyz[4] * green + to_xyz[5] * blue);
    const float w = root_of_light(to_xyz[6] * red + to_xyz[7] * green + to_xyz[8] * blue);
    const float lightness = 116 * v - 16;
    first[i] = lightness;
    second[i] = 0.01f * lightness * 500 * (u - v);
    third[i] = 0.01f * lightness * 200 * (v - w);
  }
}

// The distance of green and blue, the largest of two colors, to the power 0.7.
static const float largest_distance = 41.276098f;

static inline float color_error(float distance) {
  const float power = comparison_power(distance, 0.7f), knee = 0.4f * largest_distance;
  return power < knee ? 0.95f / knee * power : 0.95f + (power - knee) / (largest_distance - knee) * 0.05f;
}

COMPARISON_WIDE void flip_judge_row(const float *a, const float *b, size_t width, float *errors) {
  const float *a1 = a + width, *a2 = a + 2 * width, *a_edge = a + FLIP_EDGE * width, *a_point = a + FLIP_POINT * width;
  const float *b1 = b + width, *b2 = b + 2 * width, *b_edge = b + FLIP_EDGE * width, *b_point = b + FLIP_POINT * width;
  for (size_t i = 0; i < width; i++) {
    const float second = a1[i] - b1[i], third = a2[i] - b2[i];
    const float distance = fabsf(a[i] - b[i]) + sqrtf(second * second + third * third);
    const float edge = fabsf(a_edge[i] - b_edge[i]), point = fabsf(a_point[i] - b_point[i]);
    const float feature = sqrtf(0.707106781f * (edge > point ? edge : point));
    errors[i] = comparison_power(color_error(distance), 1 - (feature < 1 ? feature : 1));
  }
}
