/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows a picture through a ring of glass.",
  "CREDIT": "Snell's law, for a lens that lies flat on the picture.",
  "CATEGORIES": ["distortion"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "mirror" },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -1, "MAX": 2, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle of the ring, as a fraction of the picture's sides." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 4, "DEFAULT": 0.4, "UNIT": "normalized",
      "HELP": "How far the outer rim of the ring is from the center, as a fraction of the picture's shorter side." },
    { "NAME": "width", "TYPE": "float", "LABEL": "Width", "MIN": 0.01, "MAX": 2, "DEFAULT": 0.2, "UNIT": "normalized",
      "HELP": "How wide the glass is from rim to rim, as a fraction of the picture's shorter side." },
    { "NAME": "refraction", "TYPE": "float", "LABEL": "Refraction", "MIN": 1, "MAX": 4, "DEFAULT": 1.5, "IDENTITY": 1,
      "HELP": "How much the glass bends light: 1 is air, 1.33 water, 1.5 glass, 2.4 diamond." }
  ]
}*/

vec2 warpKernel(vec2 position) {
  float side = min(RENDERSIZE.x, RENDERSIZE.y);
  vec2 offset = position - center * RENDERSIZE;
  float far = length(offset);
  float halfWidth = 0.5 * width * side;
  // Across the glass, from -1 on the inner rim to 1 on the outer one.
  float place = (far - radius * side) / halfWidth + 1.0;
  if (abs(place) >= 1.0 || far == 0.0) return position;
  // The surface is half of a circle, so its slope at this place is that of a ray whose sine is the place; the picture lies below the flat side.
  float coming = asin(place);
  float bent = asin(place / refraction);
  float moved = halfWidth * sqrt(1.0 - place * place) * tan(coming - bent);
  return position - offset / far * moved;
}
