/*{
  "ETALON": 1,
  "DESCRIPTION": "Bends each channel with a polynomial of the third degree.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "red", "TYPE": "vec4", "LABEL": "Red", "MIN": -10, "MAX": 10, "DEFAULT": [0, 0.6, 1.2, -0.8], "IDENTITY": [0, 1, 0, 0],
      "HELP": "What the constant, red, its square and its cube are multiplied with to be added up." },
    { "NAME": "green", "TYPE": "vec4", "LABEL": "Green", "MIN": -10, "MAX": 10, "DEFAULT": [0, 0.6, 1.2, -0.8], "IDENTITY": [0, 1, 0, 0],
      "HELP": "The same for green." },
    { "NAME": "blue", "TYPE": "vec4", "LABEL": "Blue", "MIN": -10, "MAX": 10, "DEFAULT": [0, 0.6, 1.2, -0.8], "IDENTITY": [0, 1, 0, 0],
      "HELP": "The same for blue." }
  ]
}*/

float bent(float x, vec4 factors) { return factors.x + x * (factors.y + x * (factors.z + x * factors.w)); }

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return vec4(vec3(bent(straight.r, red), bent(straight.g, green), bent(straight.b, blue)) * color.a, color.a);
}
