/*{
  "ETALON": 1,
  "DESCRIPTION": "Keeps a disk of a picture and lets the colors of its rim run outwards.",
  "CATEGORIES": ["distortion"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle of the disk, as a fraction of the picture's sides." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 4, "DEFAULT": 0.3, "IDENTITY": 4, "UNIT": "normalized",
      "HELP": "How large the disk is, as a fraction of the picture's shorter side." }
  ]
}*/

vec2 warpKernel(vec2 position) {
  vec2 offset = position - center * RENDERSIZE;
  float reach = radius * min(RENDERSIZE.x, RENDERSIZE.y);
  float far = length(offset);
  return far > reach ? position + offset * (reach / far - 1.0) : position;
}
