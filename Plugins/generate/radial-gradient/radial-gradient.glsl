/*{
  "ETALON": 1,
  "DESCRIPTION": "A ramp from one color to another around a center; also a disk, as a mask.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -4, "MAX": 4, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle, as a fraction of the picture's sides." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 4, "DEFAULT": 0.5, "UNIT": "normalized",
      "HELP": "Where the ramp ends, as a fraction of the picture's shorter side." },
    { "NAME": "innerRadius", "TYPE": "float", "LABEL": "Inner radius", "MIN": 0, "MAX": 1, "DEFAULT": 0, "UNIT": "normalized",
      "HELP": "Where the ramp begins, as a fraction of the radius; at 1 the edge is sharp." },
    { "NAME": "innerColor", "TYPE": "color", "LABEL": "Inner color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] },
    { "NAME": "outerColor", "TYPE": "color", "LABEL": "Outer color", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1] },
    { "NAME": "curve", "TYPE": "long", "LABEL": "Curve", "VALUES": [0, 1], "LABELS": ["linear", "smooth"], "DEFAULT": 0,
      "HELP": "Whether the ramp is straight, or begins and ends slowly." }
  ]
}*/

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

vec4 colorKernel() {
  float outer = radius * min(RENDERSIZE.x, RENDERSIZE.y);
  // A sharp edge is one pixel wide, so that it has no steps.
  float width = max(outer * (1.0 - innerRadius), 1.0);
  float middle = 0.5 * outer * (1.0 + innerRadius);
  float place = clamp((length(POSITION - center * RENDERSIZE) - middle) / width + 0.5, 0.0, 1.0);
  if (curve == 1) place = smoothstep(0.0, 1.0, place);
  return mix(premultiplied(innerColor), premultiplied(outerColor), place);
}
