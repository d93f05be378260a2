/*{
  "ETALON": 1,
  "DESCRIPTION": "The first picture is cut into bars that slide away one after the other.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start", "ADDRESS": "transparent" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "bars", "TYPE": "int", "LABEL": "Bars", "MIN": 1, "MAX": 256, "DEFAULT": 12, "HELP": "How many bars there are." },
    { "NAME": "upright", "TYPE": "bool", "LABEL": "Upright", "DEFAULT": true, "HELP": "Whether bars stand and slide down, or lie and slide to the left." },
    { "NAME": "delay", "TYPE": "float", "LABEL": "Delay", "MIN": 0, "MAX": 0.95, "DEFAULT": 0.5, "HELP": "How much of the time the last bar waits." },
    { "NAME": "order", "TYPE": "long", "LABEL": "Order", "VALUES": [0, 1, 2], "LABELS": ["row", "middle", "random"], "DEFAULT": 0, "HELP": "Which bars go first: from one side on, from the middle on, or any." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

vec4 imageKernel(vec2 position) {
  vec2 place = position / RENDERSIZE;
  float across = upright ? place.x : 1.0 - place.y;
  int bar = clamp(int(across * float(bars)), 0, bars - 1);
  float turn = (float(bar) + 0.5) / float(bars);
  if (order == 1) turn = abs(2.0 * turn - 1.0);
  if (order == 2) turn = float(mixed(uint(bar)) >> 8) / 16777215.0;
  // Bars start slowly, and all of them are gone at the end.
  float time = clamp((progress - delay * turn) / (1.0 - delay), 0.0, 1.0);
  float moved = progress == 1.0 ? 1.0 : time * time;
  vec4 above = moved < 1.0 ? IMG_NORM_PIXEL(startImage, place + moved * (upright ? vec2(0.0, 1.0) : vec2(1.0, 0.0))) : vec4(0.0);
  vec4 below = IMG_NORM_PIXEL(endImage, place);
  // A premultiplied picture that moved away is transparent, and what it showed stays covered by itself alone.
  float gone = clamp((upright ? place.y + moved - 1.0 : place.x + moved - 1.0) * (upright ? RENDERSIZE.y : RENDERSIZE.x) + 0.5, 0.0, 1.0);
  return above + below * (moved == 0.0 ? 0.0 : gone);
}
