/*{
  "ETALON": 1,
  "DESCRIPTION": "The second picture pushes the first one out.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start", "ADDRESS": "clamp" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End", "ADDRESS": "clamp" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "direction", "TYPE": "long", "LABEL": "Direction", "VALUES": [0, 1, 2, 3], "LABELS": ["left", "right", "up", "down"], "DEFAULT": 0, "HELP": "Where the pictures move." },
    { "NAME": "gap", "TYPE": "float", "LABEL": "Gap", "MIN": 0, "MAX": 1, "DEFAULT": 0, "UNIT": "normalized", "HELP": "How far the pictures are apart, as a fraction of the way." }
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
  vec2 way = toward * (1.0 + gap);
  // Where the pixel lies in each of the pictures. They meet without a seam, as each ends where the other one begins.
  vec2 place = position / RENDERSIZE;
  return shown(startImage, place - way * progress) + shown(endImage, place + way * (1.0 - progress));
}
