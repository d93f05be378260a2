/*{
  "ETALON": 1,
  "DESCRIPTION": "Turns the light tones of a picture into their negative, as too much light on a film does.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "level", "TYPE": "float", "LABEL": "Level", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "HELP": "Channels at this level and above are inverted." },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to the full effect, at 1." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 light = step(vec3(level * color.a), color.rgb);
  return vec4(mix(color.rgb, color.a - color.rgb, light * amount), color.a);
}
