/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes everything lighter than a level white, and the rest black.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "level", "TYPE": "float", "LABEL": "Level", "MIN": 0, "MAX": 1, "DEFAULT": 0.5,
      "HELP": "What is white; everything lighter is, too." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "The width of the range around the level that becomes gray; at 0 the edge is hard." },
    { "NAME": "channels", "TYPE": "long", "LABEL": "Channels", "VALUES": [0, 1], "LABELS": ["luma", "each"], "DEFAULT": 0,
      "HELP": "Whether the luma decides about the pixel, or each channel about itself." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 tone = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  if (channels == 0) tone = vec3(dot(tone, vec3(0.2126, 0.7152, 0.0722)));
  vec3 white = step(level, tone);
  if (softness > 0.0) white = smoothstep(level - 0.5 * softness, level + 0.5 * softness, tone);
  return vec4(white * color.a, color.a);
}
