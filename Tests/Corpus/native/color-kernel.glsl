/*{
  "ETALON": 1,
  "DESCRIPTION": "Blends two pictures by a color.",
  "CREDIT": "nobody",
  "LICENSE": "CC0",
  "CATEGORIES": ["blend"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "backgroundImage", "TYPE": "image", "SPACE": "linear", "ALPHA": "opaque" },
    { "NAME": "tint", "TYPE": "color", "DEFAULT": "#ff8000", "LABEL": "Tint" },
    { "NAME": "amount", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "STEP": 0.25, "IDENTITY": 0, "HELP": "how much", "GROUP": "Mix" },
    { "NAME": "mode", "TYPE": "long", "VALUES": [0, 2], "LABELS": ["over", "add"], "DEFAULT": 2 },
    { "NAME": "reset", "TYPE": "event" }
  ]
}*/
vec4 colorKernel(vec4 front, vec4 back) {
  if (reset) return front;
  vec4 mixed = mode == 0 ? front + back * (1.0 - front.a) : front + back;
  return mix(front, mixed * vec4(tint.rgb * tint.a, tint.a), amount) * (1.0 - POSITION.y / RENDERSIZE.y);
}
