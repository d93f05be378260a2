/*{
  "ETALON": 1,
  "DESCRIPTION": "Marks what is in focus with a color, as viewfinders do.",
  "CATEGORIES": ["analysis"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "SPACE": "encoded" },
    { "NAME": "level", "TYPE": "float", "LABEL": "Level", "MIN": 0.01, "MAX": 1, "DEFAULT": 0.12,
      "HELP": "How strong the detail of a pixel has to be to be marked." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 0.1, 0.1, 1], "HELP": "What marks it; less alpha, less color." },
    { "NAME": "picture", "TYPE": "long", "LABEL": "Picture", "VALUES": [0, 1, 2], "LABELS": ["color", "gray", "black"], "DEFAULT": 1,
      "HELP": "How the picture itself is shown." }
  ],
  "PASSES": [
    { "KERNEL": "mark", "REACH": 1 }
  ]
}*/

float luma(vec3 color) { return dot(color, vec3(0.2126, 0.7152, 0.0722)); }

/// The luma beside a position; beyond the edges that of the last pixels.
float beside(vec2 position, ivec2 offset) {
  return luma(texelFetch(inputImage, clamp(ivec2(position) + offset, ivec2(0), textureSize(inputImage, 0) - 1), 0).rgb);
}

vec4 mark(vec2 position) {
  vec4 own = texelFetch(inputImage, ivec2(position), 0);
  float around = 0.0;
  for (int y = -1; y <= 1; y++) {
    for (int x = -1; x <= 1; x++) around += beside(position, ivec2(x, y));
  }
  float detail = abs(luma(own.rgb) - around / 9.0) * 3.0;
  vec3 shown = picture == 0 ? own.rgb : picture == 1 ? vec3(luma(own.rgb)) : vec3(0.0);
  float marked = smoothstep(0.8 * level, 1.2 * level, detail) * color.a;
  return vec4(mix(shown, color.rgb * own.a, marked), own.a);
}
