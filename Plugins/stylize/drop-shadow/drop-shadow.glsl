/*{
  "ETALON": 1,
  "DESCRIPTION": "A soft shadow behind what is opaque. The result is as much larger.",
  "CREDIT": "W3C Filter Effects Module Level 1, drop-shadow().",
  "CATEGORIES": ["stylize"],
  "EXTENT": "grow",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" },
    { "NAME": "offset", "TYPE": "vec2", "LABEL": "Offset", "MIN": -1000, "MAX": 1000, "DEFAULT": [8, -8], "UNIT": "px", "HELP": "How far to the right and up the shadow lies." },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0, "MAX": 100, "DEFAULT": 6, "UNIT": "px", "HELP": "How soft the shadow is: the standard deviation of the bell that it is blurred with." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 0.6], "HELP": "The color of the shadow; less alpha, lighter shadow." }
  ],
  "PASSES": [
    { "KERNEL": "blurWidth", "TARGET": "wide", "FORMAT": "r32f", "REACH": ["ceil(3.0 * sigma)", 0] },
    { "KERNEL": "blurHeight", "TARGET": "shade", "FORMAT": "r32f", "REACH": [0, "ceil(3.0 * sigma)"] },
    { "KERNEL": "lay", "REACH": ["abs(offset.x) + 1.0", "abs(offset.y) + 1.0"] }
  ]
}*/

/// How much a pixel counts whose distance is given.
float bell(int distance) { return exp(-0.5 * float(distance * distance) / max(sigma * sigma, 1e-6)); }

vec4 blurWidth(vec2 position) {
  int radius = int(ceil(3.0 * sigma));
  float sum = 0.0;
  float weights = 0.0;
  for (int i = -radius; i <= radius; i++) {
    sum += bell(i) * IMG_LOAD(inputImage, ivec2(floor(position)) + ivec2(i, 0)).a;
    weights += bell(i);
  }
  return vec4(sum / weights);
}

vec4 blurHeight(vec2 position) {
  int radius = int(ceil(3.0 * sigma));
  float sum = 0.0;
  float weights = 0.0;
  for (int i = -radius; i <= radius; i++) {
    sum += bell(i) * IMG_LOAD(wide, ivec2(floor(position)) + ivec2(0, i)).r;
    weights += bell(i);
  }
  return vec4(sum / weights);
}

vec4 lay(vec2 position) {
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  vec2 from = position - offset;
  float dark = IMG_INSIDE(shade, from) ? IMG_PIXEL(shade, from).r * color.a : 0.0;
  return picture + vec4(color.rgb * dark, dark) * (1.0 - picture.a);
}
