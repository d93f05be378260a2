/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes the colors of a picture stronger, or takes them away.",
  "CATEGORIES": ["color"], "ALIASES": ["desaturate"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 4, "DEFAULT": 1.5, "IDENTITY": 1,
      "HELP": "How far each color is from the gray of its luma: 0 leaves the gray, 2 doubles the distance." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  // The luma of a premultiplied color is premultiplied too, so that their mixture needs no division.
  float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  return vec4(mix(vec3(luma), color.rgb, amount), color.a);
}
