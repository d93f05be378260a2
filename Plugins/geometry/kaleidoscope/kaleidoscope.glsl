/*{
  "ETALON": 1,
  "DESCRIPTION": "Repeats a sector of a picture around a center, each copy mirrored.",
  "CATEGORIES": ["geometry"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "mirror" },
    { "NAME": "count", "TYPE": "int", "LABEL": "Count", "MIN": 1, "MAX": 64, "DEFAULT": 6,
      "HELP": "How many pairs of a copy and its mirror image there are." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "Where the sector begins, counterclockwise from the right." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle, as a fraction of the picture's sides." }
  ]
}*/

const float turn = 6.28318530718;

vec2 warpKernel(vec2 position) {
  vec2 middle = center * RENDERSIZE;
  vec2 offset = position - middle;
  float start = radians(angle);
  float pair = turn / float(count);
  float direction = offset == vec2(0.0) ? 0.0 : atan(offset.y, offset.x) - start;
  // The second half of a pair runs back through the sector.
  direction -= pair * floor(direction / pair);
  direction = min(direction, pair - direction) + start;
  return middle + length(offset) * vec2(cos(direction), sin(direction));
}
