/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes a negative of a picture.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, over gray, at 0.5, to its negative, at 1." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  // White is as transparent as the pixel, so that the negative of a premultiplied color is its distance from alpha.
  return vec4(mix(color.rgb, color.a - color.rgb, amount), color.a);
}
