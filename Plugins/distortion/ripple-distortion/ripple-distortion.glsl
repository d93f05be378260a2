/*{
  "ETALON": 1,
  "DESCRIPTION": "Rings of waves around a point, as a stone makes them in water.",
  "CATEGORIES": ["distortion"], "ALIASES": ["ripple"],
  "REACH": "amplitude + 1.0",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "mirror" },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -1, "MAX": 2, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "Where the waves begin, as a fraction of the picture's sides." },
    { "NAME": "amplitude", "TYPE": "float", "LABEL": "Amplitude", "MIN": 0, "MAX": 500, "DEFAULT": 8, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far pixels move, at most." },
    { "NAME": "wavelength", "TYPE": "float", "LABEL": "Wavelength", "MIN": 2, "MAX": 4096, "DEFAULT": 40, "UNIT": "px",
      "HELP": "How far a ring is from the next one." },
    { "NAME": "phase", "TYPE": "angle", "LABEL": "Phase", "MIN": -36000, "MAX": 36000, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "How far the rings have run outwards; 360 is one ring." },
    { "NAME": "fade", "TYPE": "float", "LABEL": "Fade", "MIN": 0, "MAX": 20, "DEFAULT": 2, "UNIT": "normalized",
      "HELP": "How much weaker the waves become outwards: at 1 they have a third of their height at the length of the picture's shorter side." }
  ]
}*/

vec2 warpKernel(vec2 position) {
  vec2 offset = position - center * RENDERSIZE;
  float far = length(offset);
  if (far == 0.0) return position;
  float wave = sin(6.28318530718 * fract(far / wavelength - phase / 360.0));
  float height = amplitude * exp(-min(fade * far / min(RENDERSIZE.x, RENDERSIZE.y), 80.0));
  // Within the first quarter of a ring the waves begin, so that the middle has no tip.
  height *= min(4.0 * far / wavelength, 1.0);
  return position + offset / far * height * wave;
}
