/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows one picture where a mask is white, and another one where it is black.",
  "CATEGORIES": ["composite"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture" },
    { "NAME": "backgroundImage", "TYPE": "image", "LABEL": "Background" },
    { "NAME": "maskImage", "TYPE": "image", "LABEL": "Mask", "SPACE": "encoded" },
    { "NAME": "channel", "TYPE": "long", "LABEL": "Channel", "VALUES": [0, 1], "LABELS": ["luma", "alpha"], "DEFAULT": 0,
      "HELP": "What of the mask counts: how light it is, or how opaque." },
    { "NAME": "inverted", "TYPE": "bool", "LABEL": "Inverted", "DEFAULT": false,
      "HELP": "Whether the picture shows where the mask is black instead." }
  ]
}*/

vec4 colorKernel(vec4 color, vec4 background, vec4 mask) {
  float cover = clamp(channel == 1 ? mask.a : dot(mask.rgb, vec3(0.2126, 0.7152, 0.0722)), 0.0, 1.0);
  return mix(background, color, inverted ? 1.0 - cover : cover);
}
