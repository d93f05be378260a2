/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes a picture of one color: black and white, or tinted.",
  "CATEGORIES": ["color"], "ALIASES": ["grayscale", "black-and-white"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to one color, at 1." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1],
      "HELP": "What white becomes; less alpha, less effect." },
    { "NAME": "weights", "TYPE": "vec3", "LABEL": "Weights", "MIN": -2, "MAX": 3, "DEFAULT": [0.2126, 0.7152, 0.0722],
      "HELP": "How much of red, green and blue the gray has, as color filters before a black and white film do." }
  ]
}*/

vec4 colorKernel(vec4 pixel) {
  vec3 tinted = dot(pixel.rgb, weights) * color.rgb;
  return vec4(mix(pixel.rgb, tinted, amount * color.a), pixel.a);
}
