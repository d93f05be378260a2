/*{
  "ETALON": 1,
  "DESCRIPTION": "Blurs a picture with a Gaussian bell of any width.",
  "CATEGORIES": ["blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0, "MAX": 1000, "DEFAULT": 8, "IDENTITY": 0, "UNIT": "px",
      "HELP": "The standard deviation of the bell." },
    { "NAME": "edges", "TYPE": "long", "LABEL": "Edges", "VALUES": [0, 1], "LABELS": ["extend", "transparent"], "DEFAULT": 0,
      "HELP": "What lies beyond the edges: the last pixels again, or nothing." }
  ],
  "PASSES": [
    { "KERNEL": "horizontal", "TARGET": "rows", "FORMAT": "rgba32f", "REACH": ["ceil(4 * sigma)", 0] },
    { "KERNEL": "vertical", "REACH": [0, "ceil(4 * sigma)"] }
  ]
}*/

vec4 pixel(sampler2D image, ivec2 position) {
  return edges == 1 && !IMG_INSIDE(image, position) ? vec4(0.0) : IMG_LOAD(image, position);
}

/// The weighted mean of the pixels along a line; beyond four standard deviations no weight counts.
vec4 blur(sampler2D image, ivec2 position, ivec2 direction) {
  int radius = int(ceil(4.0 * sigma));
  vec4 sum = pixel(image, position);
  float weights = 1.0;
  for (int i = 1; i <= radius; i++) {
    float place = float(i) / sigma;
    float weight = exp(-0.5 * place * place);
    sum += weight * (pixel(image, position - i * direction) + pixel(image, position + i * direction));
    weights += 2.0 * weight;
  }
  return sum / weights;
}

vec4 horizontal(vec2 position) { return blur(inputImage, ivec2(position), ivec2(1, 0)); }

vec4 vertical(vec2 position) { return blur(rows, ivec2(position), ivec2(0, 1)); }
