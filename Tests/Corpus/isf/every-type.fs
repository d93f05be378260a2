/*{
  "ISFVSN": "2",
  "VSN": "1.1",
  "DESCRIPTION": "Shows an input of every type",
  "CREDIT": "Etalon",
  "CATEGORIES": ["Test", "Color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "flash", "TYPE": "event" },
    { "NAME": "inverted", "TYPE": "bool", "LABEL": "Inverted", "DEFAULT": true },
    { "NAME": "mode", "TYPE": "long", "LABEL": "Mode", "VALUES": [0, 1, 4], "LABELS": ["Add", "Screen", "Multiply"], "DEFAULT": 4 },
    { "NAME": "count", "TYPE": "long", "MIN": 1, "MAX": 8, "DEFAULT": 2 },
    { "NAME": "amount", "TYPE": "float", "MIN": -1.0, "MAX": 1.0, "DEFAULT": 0.25, "IDENTITY": 0.0 },
    { "NAME": "center", "TYPE": "point2D", "MIN": [0, 0], "MAX": [1, 1], "DEFAULT": [0.5, 0.25] },
    { "NAME": "tint", "TYPE": "color", "DEFAULT": [1.0, 0.5, 0.0, 1.0] }
  ]
}*/
void main() {
  vec4 color = IMG_THIS_PIXEL(inputImage) * float(count);
  if (inverted) color.rgb = 1.0 - color.rgb;
  if (flash) color = vec4(1.0);
  color += float(mode) * amount * tint * distance(isf_FragNormCoord, center);
  gl_FragColor = color + sin(TIME) * TIMEDELTA + DATE.x + float(FRAMEINDEX) + RENDERSIZE.x;
}
