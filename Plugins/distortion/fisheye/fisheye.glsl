/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows a picture as through a fisheye lens, or straightens a picture of one.",
  "CREDIT": "The four projections: K. Miyamoto, Fish Eye Lens, 1964; D. Schneider and others, Validation of Geometric Models for Fisheye Lenses, 2009.",
  "CATEGORIES": ["distortion"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" },
    { "NAME": "fieldOfView", "TYPE": "angle", "LABEL": "Field of view", "MIN": 1, "MAX": 175, "DEFAULT": 130, "UNIT": "deg",
      "HELP": "What the picture shows from corner to corner." },
    { "NAME": "projection", "TYPE": "long", "LABEL": "Projection", "VALUES": [0, 1, 2, 3], "LABELS": ["equidistant", "equisolid", "stereographic", "orthographic"], "DEFAULT": 0,
      "HELP": "How the lens draws angles." },
    { "NAME": "straightened", "TYPE": "bool", "LABEL": "Straightened", "DEFAULT": false,
      "HELP": "Whether the picture is from a fisheye lens and lines become straight." }
  ]
}*/

/// How far from the middle a fisheye lens draws an angle.
float drawn(float theta) {
  return projection == 0 ? theta : projection == 1 ? 2.0 * sin(0.5 * theta) : projection == 2 ? 2.0 * tan(0.5 * theta) : sin(theta);
}

/// The angle that it draws there.
float seen(float far) {
  return projection == 0 ? far : projection == 1 ? 2.0 * asin(min(0.5 * far, 1.0)) : projection == 2 ? 2.0 * atan(0.5 * far) : asin(min(far, 1.0));
}

vec2 warpKernel(vec2 position) {
  vec2 offset = position - 0.5 * RENDERSIZE;
  // Distances are fractions of half of the diagonal: the corners stay where they are.
  float far = 2.0 * length(offset) / length(RENDERSIZE);
  if (far == 0.0) return position;
  float widest = radians(0.5 * fieldOfView);
  float from = straightened ? drawn(atan(far * tan(widest))) / drawn(widest) : tan(min(seen(far * drawn(widest)), widest)) / tan(widest);
  return position + offset * (from / far - 1.0);
}
