/*{
  "ETALON": 1,
  "DESCRIPTION": "Ramps of gray, red, green and blue, smooth or in steps, to see banding and clipping.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "steps", "TYPE": "int", "LABEL": "Steps", "MIN": 0, "MAX": 4096, "DEFAULT": 0,
      "HELP": "How many levels the ramps have, of 2 and more; below they are smooth." },
    { "NAME": "low", "TYPE": "float", "LABEL": "Low", "MIN": -1, "MAX": 4, "DEFAULT": 0, "HELP": "The level on the left." },
    { "NAME": "high", "TYPE": "float", "LABEL": "High", "MIN": -1, "MAX": 4, "DEFAULT": 1, "HELP": "The level on the right." },
    { "NAME": "rows", "TYPE": "long", "LABEL": "Rows", "VALUES": [0, 1], "LABELS": ["gray", "colors"], "DEFAULT": 1,
      "HELP": "One gray ramp, or below it one for each of red, green and blue." }
  ]
}*/

vec4 colorKernel() {
  // From the middle of the first pixel to the middle of the last one, so that both ends are met.
  float place = clamp((POSITION.x - 0.5) / max(RENDERSIZE.x - 1.0, 1.0), 0.0, 1.0);
  if (steps > 1) place = min(floor(POSITION.x / RENDERSIZE.x * float(steps)), float(steps - 1)) / float(steps - 1);
  float level = mix(low, high, place);
  if (rows == 0) return vec4(vec3(level), 1.0);
  int row = clamp(int((1.0 - POSITION.y / RENDERSIZE.y) * 4.0), 0, 3);
  return vec4(row == 0 ? vec3(level) : level * vec3(row == 1, row == 2, row == 3), 1.0);
}
