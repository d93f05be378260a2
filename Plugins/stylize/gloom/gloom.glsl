/*{
  "ETALON": 1,
  "DESCRIPTION": "Dulls the light parts of a picture with the dark ones around them.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "intensity", "TYPE": "float", "LABEL": "Intensity", "MIN": 0, "MAX": 1, "DEFAULT": 0.7, "IDENTITY": 0, "HELP": "How dull light parts become." },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0.5, "MAX": 100, "DEFAULT": 8, "UNIT": "px", "HELP": "The standard deviation of the bell that darkness is spread with." }
  ],
  "PASSES": [
    { "KERNEL": "spreadWidth", "TARGET": "wide", "FORMAT": "rgba32f", "REACH": ["ceil(3.0 * sigma)", 0] },
    { "KERNEL": "dull", "REACH": [0, "ceil(3.0 * sigma)"] }
  ]
}*/

/// The mean along a line, weighted with a bell.
vec4 bell(sampler2D image, vec2 position, ivec2 direction) {
  int radius = int(ceil(3.0 * sigma));
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int i = -radius; i <= radius; i++) {
    float weight = exp(-0.5 * float(i * i) / (sigma * sigma));
    sum += weight * IMG_LOAD(image, ivec2(position) + i * direction);
    weights += weight;
  }
  return sum / weights;
}

vec4 spreadWidth(vec2 position) { return bell(inputImage, position, ivec2(1, 0)); }

vec4 dull(vec2 position) {
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  vec4 around = bell(wide, position, ivec2(0, 1));
  // Multiplied as far as it is lighter than its surroundings are; both colors count as they look over the pixel's own alpha.
  vec3 other = around.a > 0.0 ? around.rgb / around.a * picture.a : picture.rgb;
  return vec4(mix(picture.rgb, min(picture.rgb, other), intensity), picture.a);
}
