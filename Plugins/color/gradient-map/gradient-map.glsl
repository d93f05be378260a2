/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives the tones of a picture the colors of a gradient.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "shadows", "TYPE": "color", "LABEL": "Shadows", "MIN": 0, "MAX": 1, "DEFAULT": [0.05, 0.03, 0.2, 1], "HELP": "What black becomes." },
    { "NAME": "midtones", "TYPE": "color", "LABEL": "Midtones", "MIN": 0, "MAX": 1, "DEFAULT": [0.8, 0.25, 0.35, 1],
      "HELP": "What the tone at the midpoint becomes." },
    { "NAME": "highlights", "TYPE": "color", "LABEL": "Highlights", "MIN": 0, "MAX": 1, "DEFAULT": [1, 0.95, 0.7, 1], "HELP": "What white becomes." },
    { "NAME": "midpoint", "TYPE": "float", "LABEL": "Midpoint", "MIN": 0.01, "MAX": 0.99, "DEFAULT": 0.5,
      "HELP": "Which luma has the color of the midtones." },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to the gradient, at 1." }
  ]
}*/

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

vec4 colorKernel(vec4 color) {
  float tone = color.a > 0.0 ? clamp(dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)) / color.a, 0.0, 1.0) : 0.0;
  vec4 low = mix(premultiplied(shadows), premultiplied(midtones), min(tone / midpoint, 1.0));
  vec4 mapped = mix(low, premultiplied(highlights), max(tone - midpoint, 0.0) / (1.0 - midpoint));
  return mix(color, mapped * color.a, amount);
}
