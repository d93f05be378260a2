/*{
  "ETALON": 1,
  "DESCRIPTION": "A picture of one color.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5, 0.5, 1] }
  ]
}*/

vec4 colorKernel() { return vec4(color.rgb * color.a, color.a); }
