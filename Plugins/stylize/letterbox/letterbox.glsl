/*{
  "ETALON": 1,
  "DESCRIPTION": "Bars that give a picture another shape, such as that of cinema.",
  "CATEGORIES": ["stylize"], "ALIASES": ["bars"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "aspect", "TYPE": "float", "LABEL": "Aspect", "MIN": 0.1, "MAX": 10, "DEFAULT": 2.39, "HELP": "The width of what stays, for a height of 1: 2.39 and 1.85 for cinema, 1.78 for television, 0.5625 for phones." },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0, "HELP": "How far the bars have come in." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1] }
  ]
}*/

vec4 colorKernel(vec4 pixel) {
  vec2 kept = mix(RENDERSIZE, min(RENDERSIZE, RENDERSIZE.yx * vec2(aspect, 1.0 / aspect)), amount);
  // The edge may lie within a pixel, which then has its share of the bar.
  vec2 inside = clamp(0.5 * kept - abs(POSITION - 0.5 * RENDERSIZE) + 0.5, 0.0, 1.0);
  float bar = (1.0 - inside.x * inside.y) * color.a;
  return pixel * (1.0 - bar) + vec4(color.rgb * bar, bar);
}
