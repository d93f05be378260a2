/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes transparent what is as in another picture: the same view without the subject.",
  "CATEGORIES": ["keying"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture", "SPACE": "encoded" },
    { "NAME": "plateImage", "TYPE": "image", "LABEL": "Clean plate", "SPACE": "encoded" },
    { "NAME": "tolerance", "TYPE": "float", "LABEL": "Tolerance", "MIN": 0, "MAX": 1, "DEFAULT": 0.08,
      "HELP": "How far a channel may be from the plate for the pixel to vanish." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0.1,
      "HELP": "How much farther it has to be for the pixel to be opaque; at 0 the edge is hard." },
    { "NAME": "view", "TYPE": "long", "LABEL": "View", "VALUES": [0, 1], "LABELS": ["result", "matte"], "DEFAULT": 0,
      "HELP": "The picture with what is transparent, or how opaque it is, as a gray picture." }
  ]
}*/

vec3 straight(vec4 color) { return color.a > 0.0 ? color.rgb / color.a : vec3(0.0); }

vec4 colorKernel(vec4 color, vec4 plate) {
  vec3 apart = abs(straight(color) - straight(plate));
  float farthest = max(apart.r, max(apart.g, apart.b));
  float matte = clamp((farthest - tolerance) / max(softness, 1e-4), 0.0, 1.0);
  if (view == 1) return vec4(vec3(matte * color.a), 1.0);
  return color * matte;
}
