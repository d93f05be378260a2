/*{
  "ETALON": 1,
  "DESCRIPTION": "A radial wipe: hands turn around a center, as those of a clock, and uncover the second picture.",
  "CREDIT": "SMPTE 258M, wipes 201 to 232.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -1, "MAX": 2, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The point that hands turn around, as a fraction of the picture's sides." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 90, "UNIT": "deg", "HELP": "Where the first hand begins, counterclockwise from the right." },
    { "NAME": "hands", "TYPE": "int", "LABEL": "Hands", "MIN": 1, "MAX": 64, "DEFAULT": 1, "HELP": "How many hands share the way around." },
    { "NAME": "direction", "TYPE": "long", "LABEL": "Direction", "VALUES": [0, 1, 2], "LABELS": ["clockwise", "counterclockwise", "both"], "DEFAULT": 0,
      "HELP": "Where hands turn; 'both' opens a fan." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0, "HELP": "How wide the edge is, as a fraction of its way." }
  ]
}*/

const float turn = 6.28318530718;

vec4 colorKernel(vec4 start, vec4 end) {
  vec2 offset = POSITION - center * RENDERSIZE;
  float far = length(offset);
  float around = far > 0.0 ? (radians(angle) - atan(offset.y, offset.x)) / turn * float(hands) : 0.0;
  float place = fract(direction == 1 ? -around : around);
  if (direction == 2) place = 1.0 - abs(2.0 * place - 1.0);
  // The edge is as wide as a pixel looks from the center, or wider.
  float pixel = float(hands) / (turn * max(far, 0.5)) * (direction == 2 ? 2.0 : 1.0);
  float width = clamp(max(softness, pixel), 1e-6, 1.0);
  float edge = mix(-0.5 * width, 1.0 + 0.5 * width, progress);
  return mix(start, end, clamp((edge - place) / width + 0.5, 0.0, 1.0));
}
