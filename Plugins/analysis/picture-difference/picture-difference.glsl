/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows where two pictures differ, and by how much.",
  "CATEGORIES": ["analysis"], "ALIASES": ["difference"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture", "SPACE": "encoded" },
    { "NAME": "otherImage", "TYPE": "image", "LABEL": "Other picture", "SPACE": "encoded" },
    { "NAME": "gain", "TYPE": "float", "LABEL": "Gain", "MIN": 1, "MAX": 256, "DEFAULT": 8, "HELP": "What differences are multiplied with to be seen." },
    { "NAME": "view", "TYPE": "long", "LABEL": "View", "VALUES": [0, 1, 2], "LABELS": ["absolute", "signed", "marked"], "DEFAULT": 0,
      "HELP": "How large differences are, which picture is lighter (gray where none is), or the picture, darkened, with what differs in red." },
    { "NAME": "tolerance", "TYPE": "float", "LABEL": "Tolerance", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "Differences that do not count, in any view; one level of 8 bits is 0.0039." }
  ]
}*/

vec4 colorKernel(vec4 color, vec4 other) {
  vec4 apart = color - other;
  float farthest = max(max(abs(apart.r), abs(apart.g)), max(abs(apart.b), abs(apart.a)));
  if (farthest <= tolerance) apart = vec4(0.0);
  if (view == 2) {
    vec3 dark = 0.25 * vec3(dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)));
    return vec4(mix(dark, vec3(1.0, 0.1, 0.1), farthest > tolerance ? clamp(farthest * gain, 0.25, 1.0) : 0.0), 1.0);
  }
  // What only differs in alpha shows as gray.
  vec3 shown = mix(apart.rgb, apart.aaa, equal(apart.rgb, vec3(0.0)));
  return vec4(clamp(view == 1 ? 0.5 + 0.5 * gain * shown : gain * abs(shown), 0.0, 1.0), 1.0);
}
