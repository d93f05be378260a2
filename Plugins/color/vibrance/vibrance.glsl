/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes the weak colors of a picture stronger, and the strong ones hardly.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": -1, "MAX": 1, "DEFAULT": 0.5, "IDENTITY": 0,
      "HELP": "How much stronger the weakest colors get: 1 doubles their distance from gray, -1 leaves the gray." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  float spread = max(color.r, max(color.g, color.b)) - min(color.r, min(color.g, color.b));
  // The spread of the straight color is 0 for grays and 1 for the strongest colors.
  float weakness = color.a > 0.0 ? clamp(1.0 - spread / color.a, 0.0, 1.0) : 0.0;
  return vec4(mix(vec3(luma), color.rgb, 1.0 + amount * weakness), color.a);
}
