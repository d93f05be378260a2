// The filters of FLIP.

#include "comparison_flip.h"

#include <math.h>

// Sensitivity to contrast, as sums of Gaussians: factors and squared widths, the latter in square degrees times two pi squared.
static const double achromatic_width = 0.0047, red_green_width = 0.0053, blue_yellow_widths[2] = {0.04, 0.025};
static const double blue_yellow_factors[2] = {34.1, 13.5};
static const double feature_width = 0.082; // degrees

static size_t limited(double radius) { return radius < FLIP_LARGEST_RADIUS ? (size_t)radius : FLIP_LARGEST_RADIUS; }

static double both_sides(const flip_filter *filter, size_t i) { return (i == 0 ? 1 : 2) * (double)filter->weights[i]; }

// A Gaussian whose weights sum to 1; returns what they summed to before.
static double make_gaussian(flip_filter *filter, size_t radius, double deviation) {
  double weights[FLIP_LARGEST_RADIUS + 1], sum = 0;
  size_t last = 0;
  for (size_t i = 0; i <= radius; i++) {
    weights[i] = exp(-(double)(i * i) / (2 * deviation * deviation));
    sum += (i == 0 ? 1 : 2) * weights[i];
    if (weights[i] > 1e-9) last = i;
  }
  // What is too small to change a float is left out.
  filter->radius = last;
  for (size_t i = 0; i <= last; i++) filter->weights[i] = (float)(weights[i] / sum);
  return sum;
}

static double deviation_of(double width, double density) { return sqrt(width / (2 * M_PI * M_PI)) * density; }

static void make_blue_yellow(flip_filters *filters, size_t radius, double density) {
  double shares[2];
  for (size_t i = 0; i < 2; i++) {
    const double sum = make_gaussian(&filters->blue_yellow[i], radius, deviation_of(blue_yellow_widths[i], density));
    shares[i] = blue_yellow_factors[i] * sqrt(M_PI / blue_yellow_widths[i]) * sum * sum;
  }
  for (size_t i = 0; i < 2; i++) filters->blue_yellow_shares[i] = (float)(shares[i] / (shares[0] + shares[1]));
}

// First and second derivatives of a Gaussian; positive and negative weights sum to 1 and -1.
static void make_features(flip_filters *filters, double density) {
  const double deviation = 0.5 * feature_width * density;
  const size_t radius = limited(ceil(3 * deviation));
  double slope = 0, positive = 0, negative = 0;
  make_gaussian(&filters->smooth, radius, deviation);
  filters->slope.radius = filters->bend.radius = radius;
  for (size_t i = 0; i <= radius; i++) {
    const double x = (double)i, gaussian = exp(-x * x / (2 * deviation * deviation));
    filters->slope.weights[i] = (float)(x * gaussian);
    filters->bend.weights[i] = (float)((x * x / (deviation * deviation) - 1) * gaussian);
    slope += x * gaussian;
    if (filters->bend.weights[i] > 0) positive += both_sides(&filters->bend, i);
    if (filters->bend.weights[i] < 0) negative -= both_sides(&filters->bend, i);
  }
  for (size_t i = 0; i <= radius; i++) {
    filters->slope.weights[i] = (float)(filters->slope.weights[i] / slope);
    const double sum = filters->bend.weights[i] > 0 ? positive : negative;
    if (sum > 0) filters->bend.weights[i] = (float)(filters->bend.weights[i] / sum);
  }
}

flip_filters flip_make_filters(float pixels_per_degree) {
  flip_filters filters = {0};
  const double density = pixels_per_degree;
  const size_t radius = limited(ceil(3 * deviation_of(blue_yellow_widths[0], density)));
  make_gaussian(&filters.achromatic, radius, deviation_of(achromatic_width, density));
  make_gaussian(&filters.red_green, radius, deviation_of(red_green_width, density));
  make_blue_yellow(&filters, radius, density);
  make_features(&filters, density);
  filters.radius = radius > filters.bend.radius ? radius : filters.bend.radius;
  return filters;
}
