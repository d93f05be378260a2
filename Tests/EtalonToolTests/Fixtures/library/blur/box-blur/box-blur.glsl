/*{
  "ETALON": 1,
  "DESCRIPTION": "Blurs a picture with a box, and can keep its bright parts.",
  "CREDIT": "somebody",
  "LICENSE": "CC0",
  "CATEGORIES": ["Soft"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture" },
    { "NAME": "radius", "TYPE": "int", "MIN": 0, "MAX": 16, "DEFAULT": 2, "STEP": 1, "UNIT": "px", "IDENTITY": 0, "LABEL": "Radius",
      "HELP": "Half the side of the box.", "GROUP": "Box" },
    { "NAME": "low", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.5 },
    { "NAME": "high", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 1 },
    { "NAME": "mode", "TYPE": "long", "VALUES": [0, 1], "LABELS": ["blur all", "keep bright"], "DEFAULT": 0 },
    { "NAME": "tint", "TYPE": "color", "DEFAULT": "#ff8000" }
  ],
  "CONSTRAINTS": ["low < high"],
  "REACH": "radius",
  "PASSES": [
    { "KERNEL": "rows", "TARGET": "half", "SCALE": "1/2", "FORMAT": "rgba32f" },
    { "KERNEL": "columns" }
  ]
}*/
vec4 rows(vec2 position) {
  vec4 sum = vec4(0.0);
  for (int x = -radius; x <= radius; x++) sum += IMG_PIXEL(inputImage, 2.0 * position + vec2(x, 0.0));
  return sum / float(2 * radius + 1);
}

vec4 columns(vec2 position) {
  vec4 sum = vec4(0.0);
  for (int y = -radius; y <= radius; y++) sum += IMG_PIXEL(half, 0.5 * (position + vec2(0.0, y)));
  vec4 color = IMG_THIS_PIXEL(inputImage);
  float kept = mode == 1 ? smoothstep(low, high, color.g) : 0.0;
  return mix(sum / float(2 * radius + 1) * tint, color, kept);
}
