/*{
  "ETALON": 1,
  "DESCRIPTION": "Lays a picture over another one.",
  "CATEGORIES": ["composite"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture", "ADDRESS": "transparent" },
    { "NAME": "backgroundImage", "TYPE": "image", "LABEL": "Background" },
    { "NAME": "opacity", "TYPE": "float", "LABEL": "Opacity", "MIN": 0, "MAX": 1, "DEFAULT": 1,
      "HELP": "How much of the picture shows." }
  ]
}*/

vec4 colorKernel(vec4 color, vec4 background) {
  vec4 picture = color * opacity;
  return picture + background * (1.0 - picture.a);
}
