/*{
  "ETALON": 1,
  "DESCRIPTION": "Applies a color decision list: slope, offset, power and saturation.",
  "CREDIT": "American Society of Cinematographers, ASC Color Decision List Transfer Functions and Interchange Syntax 1.2, 2009.",
  "CATEGORIES": ["color"], "ALIASES": ["cdl"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "slope", "TYPE": "vec3", "LABEL": "Slope", "MIN": 0, "MAX": 4, "DEFAULT": [1, 1, 1], "IDENTITY": [1, 1, 1],
      "HELP": "What colors are multiplied with." },
    { "NAME": "offset", "TYPE": "vec3", "LABEL": "Offset", "MIN": -1, "MAX": 1, "DEFAULT": [0, 0, 0], "IDENTITY": [0, 0, 0],
      "HELP": "What is added to them then." },
    { "NAME": "power", "TYPE": "vec3", "LABEL": "Power", "MIN": 0.1, "MAX": 4, "DEFAULT": [1, 1, 1], "IDENTITY": [1, 1, 1],
      "HELP": "Which power they are raised to: above 1 middle tones become darker." },
    { "NAME": "saturation", "TYPE": "float", "LABEL": "Saturation", "MIN": 0, "MAX": 4, "DEFAULT": 1, "IDENTITY": 1,
      "HELP": "How far each color is from the gray of its luma at the end." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  vec3 graded = pow(clamp(straight * slope + offset, 0.0, 1.0), power);
  vec3 luma = vec3(dot(graded, vec3(0.2126, 0.7152, 0.0722)));
  return vec4(clamp(mix(luma, graded, saturation), 0.0, 1.0) * color.a, color.a);
}
