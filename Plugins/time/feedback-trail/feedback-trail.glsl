/*{
  "ETALON": 1,
  "DESCRIPTION": "Lets the frames before show, and fade.",
  "CATEGORIES": ["time"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "halfLife", "TYPE": "float", "LABEL": "Half-life", "MIN": 0, "MAX": 60, "DEFAULT": 0.25, "IDENTITY": 0, "UNIT": "s",
      "HELP": "How long the trail takes to fade to a half, at any frame rate." },
    { "NAME": "mode", "TYPE": "long", "LABEL": "Mode", "VALUES": [0, 1], "LABELS": ["lighten", "mix"], "DEFAULT": 0,
      "HELP": "Whether the trail shows where it is lighter than the picture, or is mixed with it." }
  ],
  "PASSES": [
    { "KERNEL": "fade", "TARGET": "trail", "FORMAT": "rgba32f", "PERSISTENT": true, "REACH": 0 },
    { "KERNEL": "show", "REACH": 0 }
  ]
}*/

vec4 fade(vec2 position) {
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  vec4 before = IMG_THIS_PIXEL(trail);
  float rest = halfLife > 0.0 ? exp2(-TIMEDELTA / halfLife) : 0.0;
  // Nothing came before the first frame, so that there is nothing to mix with.
  if (mode == 1) return FRAMEINDEX == 0 ? picture : mix(picture, before, rest);
  return max(picture, before * rest);
}

vec4 show(vec2 position) { return IMG_THIS_PIXEL(trail); }
