/*{
  "ETALON": 1,
  "DESCRIPTION": "Removes noise: pixels become the mean of those that have similar surroundings (non-local means).",
  "CREDIT": "A. Buades, B. Coll, J.-M. Morel, A Non-Local Algorithm for Image Denoising, CVPR 2005.",
  "CATEGORIES": ["blur"], "ALIASES": ["non-local-means"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "SPACE": "encoded" },
    { "NAME": "strength", "TYPE": "float", "LABEL": "Strength", "MIN": 0, "MAX": 1, "DEFAULT": 0.06, "IDENTITY": 0,
      "HELP": "How different surroundings may be, as a root mean square of their channels: about the standard deviation of the noise." },
    { "NAME": "patch", "TYPE": "int", "LABEL": "Patch", "MIN": 0, "MAX": 3, "DEFAULT": 1, "UNIT": "px",
      "HELP": "How far the surroundings go that are compared." },
    { "NAME": "search", "TYPE": "int", "LABEL": "Search", "MIN": 0, "MAX": 10, "DEFAULT": 3, "UNIT": "px",
      "HELP": "How far away similar surroundings are looked for." }
  ],
  "PASSES": [
    { "KERNEL": "average", "REACH": "search + patch" }
  ]
}*/

/// The pixel at a place; beyond the edges the last ones go on.
vec4 pixel(ivec2 place) { return texelFetch(inputImage, clamp(place, ivec2(0), textureSize(inputImage, 0) - 1), 0); }

/// What is around the pixel, as far as it is compared: at most seven by seven pixels.
vec4 own[49];

/// The mean of the squares of the differences between what is around the pixel and around another place.
float difference(ivec2 other) {
  float sum = 0.0;
  int next = 0;
  for (int y = -patch; y <= patch; y++) {
    for (int x = -patch; x <= patch; x++) {
      vec4 apart = pixel(other + ivec2(x, y)) - own[next++];
      sum += dot(apart, apart);
    }
  }
  return sum / float(3 * next);
}

vec4 average(vec2 position) {
  ivec2 place = ivec2(position);
  vec4 sum = pixel(place);
  if (strength <= 0.0) return sum;
  int next = 0;
  for (int y = -patch; y <= patch; y++) {
    for (int x = -patch; x <= patch; x++) own[next++] = pixel(place + ivec2(x, y));
  }
  float weights = 1.0;
  for (int y = -search; y <= search; y++) {
    for (int x = -search; x <= search; x++) {
      if (x == 0 && y == 0) continue;
      float weight = exp(-difference(place + ivec2(x, y)) / (strength * strength));
      sum += weight * pixel(place + ivec2(x, y));
      weights += weight;
    }
  }
  return sum / weights;
}
