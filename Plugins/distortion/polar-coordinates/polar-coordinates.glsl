/*{
  "ETALON": 1,
  "DESCRIPTION": "Bends a picture around its middle, so that its rows become rings, or unrolls it again.",
  "CATEGORIES": ["distortion"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "repeat" },
    { "NAME": "direction", "TYPE": "long", "LABEL": "Direction", "VALUES": [0, 1], "LABELS": ["bend", "unroll"], "DEFAULT": 0,
      "HELP": "Whether rows become rings, or rings become rows." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle of the rings, as a fraction of the picture's sides." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0.01, "MAX": 4, "DEFAULT": 0.5, "UNIT": "normalized",
      "HELP": "How large the outermost ring is, as a fraction of the picture's shorter side." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 90, "UNIT": "deg",
      "HELP": "Where the left and right edge meet, counterclockwise from the right." },
    { "NAME": "inside", "TYPE": "long", "LABEL": "Inside", "VALUES": [0, 1], "LABELS": ["bottom", "top"], "DEFAULT": 0,
      "HELP": "Which edge of the picture is the point in the middle." }
  ]
}*/

const float turn = 6.28318530718;

vec2 warpKernel(vec2 position) {
  vec2 middle = center * RENDERSIZE;
  float reach = radius * min(RENDERSIZE.x, RENDERSIZE.y);
  if (direction == 0) {
    vec2 offset = position - middle;
    float far = min(length(offset) / reach, 1.0);
    float around = offset == vec2(0.0) ? 0.0 : (radians(angle) - atan(offset.y, offset.x)) / turn;
    float row = (inside == 0 ? far : 1.0 - far) * RENDERSIZE.y;
    // Around the middle the picture goes on where it began; up and down it ends.
    return vec2(fract(around) * RENDERSIZE.x, clamp(row, 0.5, RENDERSIZE.y - 0.5));
  }
  vec2 place = position / RENDERSIZE;
  float toward = radians(angle) - turn * place.x;
  vec2 source = middle + reach * (inside == 0 ? place.y : 1.0 - place.y) * vec2(cos(toward), sin(toward));
  return clamp(source, vec2(0.5), RENDERSIZE - 0.5);
}
