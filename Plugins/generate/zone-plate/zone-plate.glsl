/*{
  "ETALON": 1,
  "DESCRIPTION": "Rings that become finer outwards, to see what scaling and blurring do to fine detail.",
  "CREDIT": "The test picture of Fresnel's zones; in television since K. G. Freeman and others, 1970s.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "frequency", "TYPE": "float", "LABEL": "Frequency", "MIN": 0, "MAX": 1, "DEFAULT": 0.5,
      "HELP": "How many rings there are for each pixel at half of the shorter side from the center; 0.5 is the finest that pixels can show." },
    { "NAME": "phase", "TYPE": "angle", "LABEL": "Phase", "MIN": -3600, "MAX": 3600, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "How far the rings have run inwards; 360 is one ring." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -4, "MAX": 4, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle, as a fraction of the picture's sides." },
    { "NAME": "wave", "TYPE": "long", "LABEL": "Wave", "VALUES": [0, 1], "LABELS": ["sine", "square"], "DEFAULT": 0,
      "HELP": "Whether the rings are soft, or black and white." }
  ]
}*/

const float turn = 6.28318530718;

vec4 colorKernel() {
  vec2 offset = POSITION - center * RENDERSIZE;
  // The frequency is the slope of the phase: it grows with the distance, so the phase grows with its square.
  float rings = frequency * dot(offset, offset) / min(RENDERSIZE.x, RENDERSIZE.y) + phase / 360.0;
  float level = 0.5 + 0.5 * cos(turn * fract(rings));
  if (wave == 1) level = step(0.5, level);
  return vec4(vec3(level), 1.0);
}
