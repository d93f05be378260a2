/*{
  "ETALON": 1,
  "DESCRIPTION": "Spokes that become finer inwards, to see how sharp a picture is in every direction.",
  "CREDIT": "ISO 15775 and ISO 12233, whose star this is.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "spokes", "TYPE": "int", "LABEL": "Spokes", "MIN": 1, "MAX": 720, "DEFAULT": 36,
      "HELP": "How many spokes of the first color there are." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 4, "DEFAULT": 0.48, "UNIT": "normalized",
      "HELP": "Where the spokes end, as a fraction of the picture's shorter side." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "Where the middle of a spoke points, counterclockwise from the right." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -4, "MAX": 4, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle, as a fraction of the picture's sides." },
    { "NAME": "wave", "TYPE": "long", "LABEL": "Wave", "VALUES": [0, 1], "LABELS": ["square", "sine"], "DEFAULT": 0,
      "HELP": "Whether spokes have sharp edges, or soft ones as ISO 12233 measures with." },
    { "NAME": "color0", "TYPE": "color", "LABEL": "Spokes", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1] },
    { "NAME": "color1", "TYPE": "color", "LABEL": "Ground", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] }
  ]
}*/

const float turn = 6.28318530718;

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

/// How much of the spokes lies between 0 and a place that counts spokes and gaps.
float area(float place) { return 0.5 * floor(place) + min(place - floor(place), 0.5); }

vec4 colorKernel() {
  vec2 offset = POSITION - center * RENDERSIZE;
  float far = length(offset);
  float direction = far > 0.0 ? atan(offset.y, offset.x) : 0.0;
  float place = (direction - radians(angle)) / turn * float(spokes) + 0.25;
  // A pixel is the wider among the spokes the nearer it is to the center.
  float wide = float(spokes) / (turn * max(far, 0.5));
  float share = wave == 1 ? 0.5 + 0.5 * sin(turn * fract(place)) : (area(place + 0.5 * wide) - area(place - 0.5 * wide)) / wide;
  float inside = clamp(radius * min(RENDERSIZE.x, RENDERSIZE.y) - far + 0.5, 0.0, 1.0);
  return mix(premultiplied(color1), premultiplied(color0), clamp(share, 0.0, 1.0) * inside);
}
