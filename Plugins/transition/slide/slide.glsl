/*{
  "ETALON": 1,
  "DESCRIPTION": "The second picture slides over the first one, or the first one slides away.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start", "ADDRESS": "clamp" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End", "ADDRESS": "clamp" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "direction", "TYPE": "long", "LABEL": "Direction", "VALUES": [0, 1, 2, 3], "LABELS": ["left", "right", "up", "down"], "DEFAULT": 0, "HELP": "Where the picture moves." },
    { "NAME": "mode", "TYPE": "long", "LABEL": "Mode", "VALUES": [0, 1], "LABELS": ["cover", "uncover"], "DEFAULT": 0, "HELP": "Whether the second picture comes, or the first one goes." },
    { "NAME": "shadow", "TYPE": "float", "LABEL": "Shadow", "MIN": 0, "MAX": 1, "DEFAULT": 0.4, "HELP": "How dark the shadow of the picture above is." }
  ]
}*/

// A picture where it lies, whose edges cover pixels of the result in part, whatever its own size is. Steps of 1/1024 make whole pixels of those that
// only rounding keeps from being whole.
vec4 shown(sampler2D image, vec2 place) {
  vec2 covered = clamp(floor((min(place, 1.0 - place) * RENDERSIZE + 0.5) * 1024.0 + 0.5) / 1024.0, 0.0, 1.0);
  return IMG_NORM_PIXEL(image, place) * covered.x * covered.y;
}

vec4 imageKernel(vec2 position) {
  vec2 toward = direction == 0 ? vec2(-1.0, 0.0) : direction == 1 ? vec2(1.0, 0.0) : direction == 2 ? vec2(0.0, 1.0) : vec2(0.0, -1.0);
  vec2 place = position / RENDERSIZE;
  float moved = mode == 0 ? progress - 1.0 : progress;
  vec2 from = place - toward * moved;
  vec4 above = mode == 0 ? shown(endImage, from) : shown(startImage, from);
  vec4 below = mode == 0 ? shown(startImage, place) : shown(endImage, place);
  // The shadow lies beside the edge that is in the picture, and fades over a twelfth of the way; it comes and goes with the movement.
  float beyond = mode == 0 ? dot(from - 0.5, toward) - 0.5 : -0.5 - dot(from - 0.5, toward);
  float dark = shadow * exp(-12.0 * max(beyond, 0.0)) * min(1.0, 20.0 * progress * (1.0 - progress));
  below.rgb *= 1.0 - dark;
  // Where the picture above lies nothing shows through, even where it is transparent.
  float free = clamp(floor((beyond * dot(abs(toward), RENDERSIZE) + 0.5) * 1024.0 + 0.5) / 1024.0, 0.0, 1.0);
  return above + below * free;
}
