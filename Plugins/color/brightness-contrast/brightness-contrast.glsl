/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes a picture lighter or darker, and its contrast stronger or weaker.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "brightness", "TYPE": "float", "LABEL": "Brightness", "MIN": -1, "MAX": 1, "DEFAULT": 0, "IDENTITY": 0,
      "HELP": "What is added to every color, after the contrast." },
    { "NAME": "contrast", "TYPE": "float", "LABEL": "Contrast", "MIN": 0, "MAX": 4, "DEFAULT": 1.25, "IDENTITY": 1,
      "HELP": "How far each color is from the gray in the middle: 0 leaves the gray, 2 doubles the distance." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  // The gray in the middle, and what is added, are as transparent as the pixel.
  vec3 result = (color.rgb - 0.5 * color.a) * contrast + (0.5 + brightness) * color.a;
  return vec4(result, color.a);
}
