/*{
  "ETALON": 1,
  "DESCRIPTION": "Cuts a picture out where a mask is light.",
  "CATEGORIES": ["composite"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture" },
    { "NAME": "maskImage", "TYPE": "image", "LABEL": "Mask", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "How much is cut away where the mask is black." },
    { "NAME": "inverted", "TYPE": "bool", "LABEL": "Inverted", "DEFAULT": false,
      "HELP": "Whether the picture stays where the mask is black instead." }
  ]
}*/

vec4 colorKernel(vec4 color, vec4 mask) {
  float light = clamp(dot(mask.rgb, vec3(0.2126, 0.7152, 0.0722)), 0.0, 1.0);
  return color * mix(1.0, inverted ? 1.0 - light : light, amount);
}
