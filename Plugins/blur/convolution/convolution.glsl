/*{
  "ETALON": 1,
  "DESCRIPTION": "Adds up the pixels around each one with the weights of a matrix of up to 15 rows and columns.",
  "CATEGORIES": ["blur"], "ALIASES": ["convolve", "convolve-matrix", "custom-kernel", "filter-2d"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "weights", "TYPE": "matrix", "LABEL": "Weights", "ROWS": [1, 15], "COLUMNS": [1, 15], "DEFAULT": [[1]], "IDENTITY": [[1]],
      "HELP": "The weights as they lie over the picture, the first row on top." },
    { "NAME": "normalize", "TYPE": "bool", "LABEL": "Normalize", "DEFAULT": false,
      "HELP": "Divides by the sum of the weights, unless that is 0." },
    { "NAME": "bias", "TYPE": "float", "LABEL": "Bias", "MIN": -1, "MAX": 1, "DEFAULT": 0, "IDENTITY": 0, "HELP": "What is added to the sum." },
    { "NAME": "keepAlpha", "TYPE": "bool", "LABEL": "Keep alpha", "DEFAULT": true,
      "HELP": "Whether only colors are added up, as if nothing were transparent, and each pixel covers as much as before." }
  ],
  "REACH": 7
}*/

vec4 neighbor(ivec2 place) {
  vec4 color = IMG_LOAD(inputImage, place);
  if (!keepAlpha) return color;
  return vec4(color.a > 0.0 ? color.rgb / color.a : vec3(0.0), color.a);
}

vec4 imageKernel(vec2 position) {
  ivec2 size = MATRIX_SIZE(weights);
  ivec2 place = ivec2(position);
  vec4 sum = vec4(0.0);
  float total = 0.0;
  for (int row = 0; row < size.y; row++) {
    for (int column = 0; column < size.x; column++) {
      float weight = weights(row, column);
      sum += weight * neighbor(place + ivec2(column - size.x / 2, size.y / 2 - row));
      total += weight;
    }
  }
  if (normalize && total != 0.0) sum /= total;
  float coverage = keepAlpha ? IMG_LOAD(inputImage, place).a : clamp(sum.a, 0.0, 1.0);
  vec3 color = keepAlpha ? (sum.rgb + bias) * coverage : sum.rgb + bias * coverage;
  return vec4(color, coverage);
}
