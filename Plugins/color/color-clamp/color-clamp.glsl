/*{
  "ETALON": 1,
  "DESCRIPTION": "Keeps each channel between two levels.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "low", "TYPE": "vec4", "LABEL": "Low", "MIN": -1000, "MAX": 1000, "DEFAULT": [0, 0, 0, 0],
      "HELP": "The least that red, green, blue and alpha may be." },
    { "NAME": "high", "TYPE": "vec4", "LABEL": "High", "MIN": -1000, "MAX": 1000, "DEFAULT": [1, 1, 1, 1],
      "HELP": "The most that they may be." }
  ],
  "CONSTRAINTS": ["low.x <= high.x", "low.y <= high.y", "low.z <= high.z", "low.w <= high.w"]
}*/

vec4 colorKernel(vec4 color) {
  vec4 straight = vec4(color.a > 0.0 ? color.rgb / color.a : vec3(0.0), color.a);
  vec4 kept = clamp(straight, low, high);
  float coverage = clamp(kept.a, 0.0, 1.0);
  return vec4(kept.rgb * coverage, coverage);
}
