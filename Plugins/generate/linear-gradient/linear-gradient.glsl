/*{
  "ETALON": 1,
  "DESCRIPTION": "A ramp from one color to another along a line.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "startPoint", "TYPE": "point2D", "LABEL": "Start", "MIN": -4, "MAX": 4, "DEFAULT": [0, 0.5], "UNIT": "normalized",
      "HELP": "Where the ramp begins, as a fraction of the picture's sides." },
    { "NAME": "endPoint", "TYPE": "point2D", "LABEL": "End", "MIN": -4, "MAX": 4, "DEFAULT": [1, 0.5], "UNIT": "normalized",
      "HELP": "Where the ramp ends, as a fraction of the picture's sides." },
    { "NAME": "startColor", "TYPE": "color", "LABEL": "Start color", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1],
      "HELP": "The color at the start and before it." },
    { "NAME": "endColor", "TYPE": "color", "LABEL": "End color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1],
      "HELP": "The color at the end and behind it." },
    { "NAME": "curve", "TYPE": "long", "LABEL": "Curve", "VALUES": [0, 1], "LABELS": ["linear", "smooth"], "DEFAULT": 0,
      "HELP": "Whether the ramp is straight, or begins and ends slowly." }
  ],
  "CONSTRAINTS": ["startPoint != endPoint"]
}*/

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

vec4 colorKernel() {
  vec2 start = startPoint * RENDERSIZE;
  vec2 line = endPoint * RENDERSIZE - start;
  float place = clamp(dot(POSITION - start, line) / dot(line, line), 0.0, 1.0);
  if (curve == 1) place = smoothstep(0.0, 1.0, place);
  return mix(premultiplied(startColor), premultiplied(endColor), place);
}
