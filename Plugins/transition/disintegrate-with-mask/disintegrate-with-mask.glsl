/*{
  "ETALON": 1,
  "DESCRIPTION": "The first picture is eaten away where a mask says, with a shadow on the second one.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End" },
    { "NAME": "maskImage", "TYPE": "image", "LABEL": "Mask", "SPACE": "encoded" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "shadowRadius", "TYPE": "float", "LABEL": "Shadow radius", "MIN": 0, "MAX": 100, "DEFAULT": 8, "UNIT": "px", "HELP": "How soft the shadow is." },
    { "NAME": "shadowOffset", "TYPE": "vec2", "LABEL": "Shadow offset", "MIN": -100, "MAX": 100, "DEFAULT": [4, -6], "UNIT": "px", "HELP": "How far to the right and up the shadow lies." },
    { "NAME": "shadow", "TYPE": "float", "LABEL": "Shadow", "MIN": 0, "MAX": 1, "DEFAULT": 0.65, "HELP": "How dark the shadow is." },
    { "NAME": "rim", "TYPE": "color", "LABEL": "Rim", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 0.5], "HELP": "The color of the edge of what is left; less alpha, less color." }
  ]
}*/

/// How much of the first picture is left at a position.
float leftAt(vec2 position, float width) {
  float level = clamp(dot(IMG_NORM_PIXEL(maskImage, position / RENDERSIZE).rgb, vec3(0.2126, 0.7152, 0.0722)), 0.0, 1.0);
  float edge = mix(-0.5 * width, 1.0 + 0.5 * width, progress);
  return 1.0 - clamp((edge - level) / width + 0.5, 0.0, 1.0);
}

vec4 imageKernel(vec2 position) {
  vec4 start = IMG_THIS_PIXEL(startImage);
  vec4 end = IMG_THIS_PIXEL(endImage);
  // Levels of the mask that go at the same time, so that its edges are smooth.
  const float width = 0.02;
  float left = leftAt(position, width);
  // The mean of what is left around, on two circles and in their middle.
  float around = 0.25 * leftAt(position - shadowOffset, width);
  for (int i = 0; i < 8; i++) {
    float direction = 0.78539816 * (float(i) + 0.5);
    vec2 toward = shadowRadius * vec2(cos(direction), sin(direction));
    around += (0.5 * leftAt(position - shadowOffset + 0.5 * toward, width) + 0.25 * leftAt(position - shadowOffset + toward, width)) / 8.0;
  }
  // At the end nothing is left that casts a shadow, and at the beginning the mean of what is around is everything.
  end.rgb *= 1.0 - shadow * around * min(1.0, 10.0 * (1.0 - progress));
  vec4 edge = vec4(mix(start.rgb, rim.rgb * start.a, rim.a * (1.0 - leftAt(position, 3.0 * width))), start.a);
  return mix(end, edge, left);
}
