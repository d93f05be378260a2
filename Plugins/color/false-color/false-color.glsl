/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows the tones of a picture between two colors: one for black, one for white.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "darkColor", "TYPE": "color", "LABEL": "Dark", "MIN": 0, "MAX": 1, "DEFAULT": [0.1, 0.05, 0.3, 1],
      "HELP": "What black becomes." },
    { "NAME": "lightColor", "TYPE": "color", "LABEL": "Light", "MIN": 0, "MAX": 1, "DEFAULT": [1, 0.9, 0.7, 1],
      "HELP": "What white becomes." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  // The luma of a premultiplied color is the share of white, and what alpha has more than that is the share of black.
  float white = clamp(dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)), 0.0, color.a);
  vec4 light = vec4(lightColor.rgb * lightColor.a, lightColor.a);
  vec4 dark = vec4(darkColor.rgb * darkColor.a, darkColor.a);
  return white * light + (color.a - white) * dark;
}
