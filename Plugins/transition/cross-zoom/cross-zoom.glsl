/*{
  "ETALON": 1,
  "DESCRIPTION": "Flies into the first picture, and out of the blur into the second one.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start", "ADDRESS": "mirror" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End", "ADDRESS": "mirror" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "strength", "TYPE": "float", "LABEL": "Strength", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "HELP": "How long the trails are in the middle of the time, as a fraction of the way to the center." },
    { "NAME": "zoom", "TYPE": "float", "LABEL": "Zoom", "MIN": 1, "MAX": 8, "DEFAULT": 2, "HELP": "How much larger the first picture gets until it is gone; the second one begins as much smaller." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "Where the flight goes, as a fraction of the pictures' sides." }
  ]
}*/

const int steps = 32;

vec4 imageKernel(vec2 position) {
  vec2 place = position / RENDERSIZE;
  if (progress == 0.0) return IMG_NORM_PIXEL(startImage, place);
  if (progress == 1.0) return IMG_NORM_PIXEL(endImage, place);
  float share = smoothstep(0.3, 0.7, progress);
  float trail = strength * 4.0 * progress * (1.0 - progress);
  // Sizes change by the same factor in the same time.
  float first = exp2(-log2(zoom) * progress);
  float second = exp2(log2(zoom) * (1.0 - progress));
  vec4 sum = vec4(0.0);
  for (int i = 0; i < steps; i++) {
    vec2 offset = (place - center) * (1.0 - trail * (float(i) + 0.5) / float(steps));
    vec4 start = share < 1.0 ? IMG_NORM_PIXEL(startImage, center + offset * first) : vec4(0.0);
    vec4 end = share > 0.0 ? IMG_NORM_PIXEL(endImage, center + offset * second) : vec4(0.0);
    sum += mix(start, end, share);
  }
  return sum / float(steps);
}
