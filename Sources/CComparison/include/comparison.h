// The inner loops of picture comparison. Pictures have rows without padding, the top row first.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum comparison_kind { COMPARISON_UNORM8, COMPARISON_UNORM16, COMPARISON_HALF, COMPARISON_FLOAT };

typedef struct {
  const void *pixels;
  enum comparison_kind kind;
  uint32_t channels; // 1, 2 or 4
  bool is_opaque;    // the fourth channel counts as 1
  bool premultiplies; // color is multiplied by alpha when it is read
} comparison_picture;

enum comparison_nonfinite { COMPARISON_STRICT, COMPARISON_EQUAL, COMPARISON_IGNORE };
enum comparison_denormals { COMPARISON_PRESERVE, COMPARISON_FLUSH, COMPARISON_ANY };

// Two pictures and how numbers are read. `white` is what 1 reads as (255, 65535 or 1), `unit` the difference that counts as one.
typedef struct {
  comparison_picture actual, reference;
  size_t width, height;
  float white, unit;
  enum comparison_nonfinite nonfinite;
  enum comparison_denormals denormals;
  bool ignores_hidden_color; // color under alpha 0 in both pictures
  bool measures_steps;       // relative differences and differences in steps of the format
} comparison_pair;

// Sums over the channels of a group; index 0 to 2 are color, 3 is alpha. Sums are in units, over finite pixels only.
typedef struct {
  double absolute[4], squared[4];
  float largest[4], relative[4];
  double steps[4];
  uint64_t finite_pixels;
  uint64_t nan[2], infinite[2];   // of the actual picture and the reference, in channels
  uint64_t nonfinite_pixels;      // where the policy calls them different
  size_t first_nonfinite;         // index of the first of them
  bool color_differs, alpha_differs;
} comparison_sums;

// The largest difference of each pixel over color and in alpha, in units; infinite where the policy calls values different. The map of
// alpha is only written when alpha differs.
void comparison_differences(const comparison_pair *pair, float *color, float *alpha, comparison_sums *sums);

// Changes maps to differences from the nearest value among the neighbours in the other picture, for pixels beyond `level`; maps may
// be NULL. Where all of the picture moved by a pixel, those that left it or came in have no such neighbour and count as equal.
void comparison_shifted(const comparison_pair *pair, float level, float *color, float *alpha);

// How many pixels beyond `level` in a map of color differ that much from all neighbours, too.
size_t comparison_count_unexplained(const comparison_pair *pair, float level, const float *color);

// Pixels by classes: equal, up to each of the five levels, above, not finite; and the largest finite value with its index.
typedef struct {
  uint64_t counts[7];
  float largest;
  size_t index;
} comparison_census;
void comparison_take_census(const float *map, size_t count, const float levels[4], comparison_census *census);

// Marks what lies beyond a level and returns how many pixels that are.
size_t comparison_mark(const float *map, size_t count, float level, uint8_t *marks);
size_t comparison_count(const float *map, size_t count, float level);

// The window with the most marks.
typedef struct {
  uint64_t marks;
  size_t x, y;
} comparison_window;
comparison_window comparison_fullest_window(const uint8_t *marks, size_t width, size_t height, size_t size);

// Groups of marks that touch each other; `boxes` gets the largest ones.
typedef struct {
  uint64_t marks;
  uint32_t left, top, right, bottom;
} comparison_cluster;
typedef struct {
  uint64_t count, isolated;
  size_t box_count;
} comparison_clusters;
comparison_clusters comparison_find_clusters(
    const uint8_t *marks, size_t width, size_t height, comparison_cluster *boxes, size_t box_limit);

// How many marks lie where the brightness of the reference changes by more than `step` (a fraction of white) to a neighbour.
size_t comparison_marks_on_edges(const comparison_pair *pair, const uint8_t *marks, float step);

// Histograms for each channel of one of the pictures.
typedef struct {
  uint64_t counts[256];
} comparison_bins;
void comparison_histogram(const comparison_pair *pair, bool of_reference, comparison_bins bins[4]);

// Mean structural similarity of the brightness, windows of 8x8 pixels at every fourth.
double comparison_structural_similarity(const comparison_pair *pair);

// Mean structural similarity of red, green and blue in Gaussian windows of 11x11 pixels; NaN for pictures in which none fits.
double comparison_gaussian_similarity(const comparison_pair *pair);

// HyAB distances in OKLab: their sum and the largest; marks those beyond a distance.
typedef struct {
  double sum;
  float largest;
  uint64_t marks;
} comparison_distances;
comparison_distances comparison_oklab(const comparison_pair *pair, float distance, uint8_t *marks);

// By how many standard errors the means of a window of color differ most, and which window that is: over windows of 8x8 pixels, of 16x16, and
// so on up to the whole picture, none of which overlap others of their size.
typedef struct {
  uint64_t windows;
  double largest;
  size_t x, y, width, height;
} comparison_noise_distance;
comparison_noise_distance comparison_noise(const comparison_pair *pair);

// Reads one pixel as four numbers in the format's own levels (0 to 255, 0 to 65535, or as they are).
void comparison_read_pixel(const comparison_picture *picture, size_t index, float values[4]);

// FLIP (Andersson et al. 2020): how visible the difference is to a person who flips between both pictures, for every pixel, 0 to 1.
// `pixels_per_degree` is how many pixels a degree of sight covers. With exposures numbers are light of any strength, which is looked at
// with each of them, and the largest error counts; without any they are encoded, from 0 to 1.
typedef struct {
  float start, stop; // powers of two
  uint32_t count;
} comparison_exposures;
void comparison_flip(const comparison_pair *pair, float pixels_per_degree, const comparison_exposures *exposures, float *map);

// The exposures from which the brightest to which the median pixel of the reference is bright.
comparison_exposures comparison_find_exposures(const comparison_pair *pair);

// The sum and the largest of a map's numbers from 0 to 1, how many are 0 (the first bin) and how many lie in each of the equal bins after it.
typedef struct {
  double sum;
  float largest;
} comparison_map_statistics;
comparison_map_statistics comparison_summarize_map(const float *map, size_t count, uint64_t *bins, size_t bin_count);

// Pictures of differences, RGBA8 and opaque. Color or alpha as absolute differences times `gain`, clamped; what is not finite counts as 0
// where both have it and as white where one does.
void comparison_paint_difference(const comparison_pair *pair, bool of_alpha, float gain, uint8_t *pixels);

// A map by a palette of 256 colors: `scale` times the number, or times the logarithm of 1 plus it, is the place in the palette; infinite
// numbers become cyan.
void comparison_paint_map(const float *map, size_t count, float scale, bool is_logarithmic, const uint8_t palette[1024], uint8_t *pixels);

// How much the difference of color changed since the frame before, over all channels. `held` keeps the differences from frame to frame,
// three planes of `width * height`; the first frame only fills it.
typedef struct {
  double sum;
  float largest;
} comparison_flicker_sums;
comparison_flicker_sums comparison_flicker(const comparison_pair *pair, float *held, bool is_first);
