/*{
  "ETALON": 1,
  "DESCRIPTION": "Takes the light of a green or blue screen off what stands before it.",
  "CATEGORIES": ["keying"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "screen", "TYPE": "long", "LABEL": "Screen", "VALUES": [0, 1], "LABELS": ["green", "blue"], "DEFAULT": 0, "HELP": "The color of the screen." },
    { "NAME": "limit", "TYPE": "long", "LABEL": "Limit", "VALUES": [0, 1, 2], "LABELS": ["average", "larger", "smaller"], "DEFAULT": 0,
      "HELP": "What the screen's channel may not be above: the average of the other two, or the larger or smaller one of them." },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "How much of what is above the limit goes." },
    { "NAME": "keepLuma", "TYPE": "bool", "LABEL": "Keep luma", "DEFAULT": false,
      "HELP": "Whether gray light is added instead, so that nothing becomes darker." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  float own = screen == 0 ? color.g : color.b;
  vec2 others = screen == 0 ? color.rb : color.rg;
  float highest = limit == 0 ? 0.5 * (others.x + others.y) : limit == 1 ? max(others.x, others.y) : min(others.x, others.y);
  float taken = amount * max(own - highest, 0.0);
  vec3 result = color.rgb - (screen == 0 ? vec3(0.0, taken, 0.0) : vec3(0.0, 0.0, taken));
  if (keepLuma) result = min(result + taken * (screen == 0 ? 0.7152 : 0.0722), max(color.rgb, color.a));
  return vec4(result, color.a);
}
