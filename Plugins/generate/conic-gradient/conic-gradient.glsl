/*{
  "ETALON": 1,
  "DESCRIPTION": "A ramp from one color to another that runs around a center.",
  "CREDIT": "CSS Images Level 4, conic-gradient().",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -4, "MAX": 4, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle, as a fraction of the picture's sides." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 90, "UNIT": "deg",
      "HELP": "Where the ramp begins, counterclockwise from the right." },
    { "NAME": "turns", "TYPE": "int", "LABEL": "Turns", "MIN": 1, "MAX": 64, "DEFAULT": 1,
      "HELP": "How many ramps lie around the center." },
    { "NAME": "mirrored", "TYPE": "bool", "LABEL": "Mirrored", "DEFAULT": false,
      "HELP": "Whether each ramp runs to the end color and back, which leaves no edge." },
    { "NAME": "startColor", "TYPE": "color", "LABEL": "Start color", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1] },
    { "NAME": "endColor", "TYPE": "color", "LABEL": "End color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] }
  ]
}*/

const float turn = 6.28318530718;

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

vec4 colorKernel() {
  vec2 offset = POSITION - center * RENDERSIZE;
  float far = length(offset);
  float direction = far > 0.0 ? atan(offset.y, offset.x) : 0.0;
  // Clockwise from where the ramp begins, as CSS has it.
  float place = fract((radians(angle) - direction) / turn * float(turns));
  if (mirrored) {
    place = 1.0 - abs(2.0 * place - 1.0);
  } else {
    // A pixel on the edge where a ramp ends and the next one begins has its share of both.
    float wide = clamp(float(turns) / (turn * max(far, 0.5)), 0.0, 0.5);
    float beyond = max(place - 1.0 + 0.5 * wide, 0.5 * wide - place) / wide;
    if (beyond > 0.0) place = place > 0.5 ? mix(place, 0.0, beyond) : mix(place, 1.0, beyond);
  }
  return mix(premultiplied(startColor), premultiplied(endColor), place);
}
