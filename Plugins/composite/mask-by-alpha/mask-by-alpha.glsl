/*{
  "ETALON": 1,
  "DESCRIPTION": "Cuts a picture out where another one is opaque.",
  "CATEGORIES": ["composite"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture" },
    { "NAME": "maskImage", "TYPE": "image", "LABEL": "Mask" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "How much is cut away where the mask is transparent." },
    { "NAME": "inverted", "TYPE": "bool", "LABEL": "Inverted", "DEFAULT": false,
      "HELP": "Whether the picture stays where the mask is transparent instead." }
  ]
}*/

vec4 colorKernel(vec4 color, vec4 mask) {
  float cover = clamp(mask.a, 0.0, 1.0);
  return color * mix(1.0, inverted ? 1.0 - cover : cover, amount);
}
