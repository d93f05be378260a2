/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes a picture lighter or darker as a longer or shorter exposure does.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" },
    { "NAME": "stops", "TYPE": "float", "LABEL": "Stops", "MIN": -10, "MAX": 10, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "One stop more is twice the light, one less is half of it." }
  ]
}*/

vec4 colorKernel(vec4 color) { return vec4(color.rgb * exp2(stops), color.a); }
