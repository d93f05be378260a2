/*{
  "ETALON": 1,
  "DESCRIPTION": "Pushes a picture away from a round hole.",
  "CATEGORIES": ["distortion"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -1, "MAX": 2, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle of the hole, as a fraction of the picture's sides." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 2, "DEFAULT": 0.15, "IDENTITY": 0, "UNIT": "normalized",
      "HELP": "How large the hole is, as a fraction of the picture's shorter side; what is pushed away lies within twice of it." }
  ]
}*/

vec4 imageKernel(vec2 position) {
  vec2 offset = position - center * RENDERSIZE;
  float hole = radius * min(RENDERSIZE.x, RENDERSIZE.y);
  float far = length(offset);
  if (hole == 0.0 || far >= 2.0 * hole) return IMG_PIXEL(inputImage, position);
  // From the rim to twice its distance lies what was in the whole disk; there one pixel is one pixel again, which leaves no edge.
  float place = max(far / hole - 1.0, 0.0);
  float from = hole * place * (3.0 - place);
  vec4 color = IMG_PIXEL(inputImage, position + offset * (from / max(far, 1e-6) - 1.0));
  return color * clamp(far - hole + 0.5, 0.0, 1.0);
}
