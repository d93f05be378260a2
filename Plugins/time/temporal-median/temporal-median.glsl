/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives every pixel the median of its colors over several frames: dust, drop-outs and flicker of single frames go.",
  "CATEGORIES": ["time"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "FRAMES": [-3, 3] },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 1, "MAX": 3, "DEFAULT": 1, "HELP": "How many frames before and after are looked at." },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0, "HELP": "How much of the median shows." }
  ]
}*/

/// Puts the smaller numbers first.
void order(inout vec4 a, inout vec4 b) {
  vec4 low = min(a, b);
  b = max(a, b);
  a = low;
}

vec4 median(vec4 a, vec4 b, vec4 c) { return max(min(a, b), min(max(a, b), c)); }

/// Puts the smallest of four first, and the largest last: neither is the median, however many colors follow.
void order(inout vec4 a, inout vec4 b, inout vec4 c, inout vec4 d) {
  order(a, b);
  order(c, d);
  order(a, c);
  order(b, d);
}

vec4 colorKernel(vec4 color) {
  vec4 before = IMG_THIS_PIXEL(inputImage[-1]);
  vec4 after = IMG_THIS_PIXEL(inputImage[1]);
  if (radius == 1) return mix(color, median(before, color, after), amount);
  vec4 a = before, b = color, c = after, d = IMG_THIS_PIXEL(inputImage[-2]), e = IMG_THIS_PIXEL(inputImage[2]);
  order(a, b, c, d);
  if (radius == 2) return mix(color, median(b, c, e), amount);
  // Of five the smallest and the largest go; of the three that are left and another one again; the median of the last three is that of all seven.
  order(a, e);
  order(e, d);
  vec4 f = IMG_THIS_PIXEL(inputImage[-3]);
  order(b, c, e, f);
  return mix(color, median(c, e, IMG_THIS_PIXEL(inputImage[3])), amount);
}
