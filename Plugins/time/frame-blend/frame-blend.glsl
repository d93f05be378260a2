/*{
  "ETALON": 1,
  "DESCRIPTION": "Blends every frame with those before and after it, as a shutter does that stays open for longer.",
  "CATEGORIES": ["time"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "FRAMES": [-8, 8], "DISTANCE": "frames" },
    { "NAME": "frames", "TYPE": "int", "LABEL": "Frames", "MIN": 0, "MAX": 8, "DEFAULT": 2, "IDENTITY": 0, "HELP": "How many frames before and after count." },
    { "NAME": "weights", "TYPE": "long", "LABEL": "Weights", "VALUES": [0, 1, 2], "LABELS": ["box", "triangle", "gaussian"], "DEFAULT": 1,
      "HELP": "Whether all of them count alike, less the farther away they are, or as a bell says." },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0, "HELP": "How much of the blend shows." }
  ]
}*/

/// How much a frame counts that is so many frames away.
float weight(int away) {
  if (weights == 0) return 1.0;
  if (weights == 1) return float(frames + 1 - away);
  // The bell ends at two standard deviations.
  float distance = 2.0 * float(away) / float(max(frames, 1));
  return exp(-0.5 * distance * distance);
}

vec4 colorKernel(vec4 color) {
  vec4 sum = color * weight(0);
  float whole = weight(0);
  for (int away = 1; away <= frames; away++) {
    sum += (IMG_THIS_PIXEL(inputImage[-away]) + IMG_THIS_PIXEL(inputImage[away])) * weight(away);
    whole += 2.0 * weight(away);
  }
  return mix(color, sum / whole, amount);
}
