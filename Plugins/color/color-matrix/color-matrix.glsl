/*{
  "ETALON": 1,
  "DESCRIPTION": "Mixes the channels of a picture with a matrix of five columns: red, green, blue, alpha, and a constant.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "red", "TYPE": "vec4", "LABEL": "Red", "MIN": -10, "MAX": 10, "DEFAULT": [1, 0, 0, 0], "IDENTITY": [1, 0, 0, 0],
      "HELP": "How much of red, green, blue and alpha the new red has." },
    { "NAME": "green", "TYPE": "vec4", "LABEL": "Green", "MIN": -10, "MAX": 10, "DEFAULT": [0, 1, 0, 0], "IDENTITY": [0, 1, 0, 0],
      "HELP": "How much of red, green, blue and alpha the new green has." },
    { "NAME": "blue", "TYPE": "vec4", "LABEL": "Blue", "MIN": -10, "MAX": 10, "DEFAULT": [0, 0, 1, 0], "IDENTITY": [0, 0, 1, 0],
      "HELP": "How much of red, green, blue and alpha the new blue has." },
    { "NAME": "alpha", "TYPE": "vec4", "LABEL": "Alpha", "MIN": -10, "MAX": 10, "DEFAULT": [0, 0, 0, 1], "IDENTITY": [0, 0, 0, 1],
      "HELP": "How much of red, green, blue and alpha the new alpha has." },
    { "NAME": "matrix", "TYPE": "matrix", "LABEL": "Matrix", "ROWS": 4, "COLUMNS": 5,
      "DEFAULT": [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0]],
      "IDENTITY": [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0]],
      "HELP": "All of it at once, before the rows: what the new red, green, blue and alpha have of the four, and what is added." },
    { "NAME": "bias", "TYPE": "vec4", "LABEL": "Bias", "MIN": -10, "MAX": 10, "DEFAULT": [0, 0, 0, 0], "IDENTITY": [0, 0, 0, 0],
      "HELP": "What is added to the four." }
  ]
}*/

float applied(int row, vec4 color) {
  return dot(color, vec4(matrix(row, 0), matrix(row, 1), matrix(row, 2), matrix(row, 3))) + matrix(row, 4);
}

vec4 colorKernel(vec4 color) {
  vec4 straight = vec4(color.a > 0.0 ? color.rgb / color.a : vec3(0.0), color.a);
  vec4 first = vec4(applied(0, straight), applied(1, straight), applied(2, straight), applied(3, straight));
  vec4 mixed = vec4(dot(first, red), dot(first, green), dot(first, blue), dot(first, alpha)) + bias;
  float coverage = clamp(mixed.a, 0.0, 1.0);
  return vec4(mixed.rgb * coverage, coverage);
}
