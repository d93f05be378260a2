/*{
  "ETALON": 1,
  "DESCRIPTION": "Colored light around what is opaque, such as titles. The result is as much larger.",
  "CATEGORIES": ["stylize"],
  "EXTENT": "grow",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0, "MAX": 100, "DEFAULT": 8, "UNIT": "px", "HELP": "The standard deviation of the bell that light is spread with." },
    { "NAME": "intensity", "TYPE": "float", "LABEL": "Intensity", "MIN": 0, "MAX": 8, "DEFAULT": 1.5, "HELP": "How much light there is; above 1 it is full close to the shape." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 0.8, 0.3, 1] }
  ],
  "PASSES": [
    { "KERNEL": "spreadWidth", "TARGET": "wide", "FORMAT": "r32f", "REACH": ["ceil(3.0 * sigma)", 0] },
    { "KERNEL": "shine", "REACH": [0, "ceil(3.0 * sigma)"] }
  ]
}*/

/// How much a pixel counts whose distance is given.
float bell(int distance) { return exp(-0.5 * float(distance * distance) / max(sigma * sigma, 1e-6)); }

vec4 spreadWidth(vec2 position) {
  int radius = int(ceil(3.0 * sigma));
  float sum = 0.0;
  float weights = 0.0;
  for (int i = -radius; i <= radius; i++) {
    sum += bell(i) * IMG_LOAD(inputImage, ivec2(floor(position)) + ivec2(i, 0)).a;
    weights += bell(i);
  }
  return vec4(sum / weights);
}

vec4 shine(vec2 position) {
  int radius = int(ceil(3.0 * sigma));
  float sum = 0.0;
  float weights = 0.0;
  for (int i = -radius; i <= radius; i++) {
    sum += bell(i) * IMG_LOAD(wide, ivec2(floor(position)) + ivec2(0, i)).r;
    weights += bell(i);
  }
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  float light = min(intensity * sum / weights, 1.0) * color.a;
  return picture + vec4(color.rgb * light, light) * (1.0 - picture.a);
}
