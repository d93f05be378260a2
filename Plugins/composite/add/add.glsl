/*{
  "ETALON": 1,
  "DESCRIPTION": "Adds the light of a picture to another one.",
  "CATEGORIES": ["composite"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture", "ADDRESS": "transparent" },
    { "NAME": "backgroundImage", "TYPE": "image", "LABEL": "Background" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 16, "DEFAULT": 1,
      "HELP": "How much of the picture is added; at 0 the background shows." }
  ]
}*/

vec4 colorKernel(vec4 color, vec4 background) {
  // Light has no upper end; what is more than opaque is opaque.
  return vec4(background.rgb + amount * color.rgb, min(background.a + amount * color.a, 1.0));
}
