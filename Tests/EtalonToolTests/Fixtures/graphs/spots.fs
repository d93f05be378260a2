/*{
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "count", "TYPE": "float", "DEFAULT": 4, "MIN": 1, "MAX": 16 },
    { "NAME": "tint", "TYPE": "color", "DEFAULT": [1, 0.5, 0, 1] }
  ]
}*/
void main() {
  vec2 cell = fract(isf_FragNormCoord * count) - 0.5;
  gl_FragColor = length(cell) < 0.4 ? tint : IMG_THIS_PIXEL(inputImage);
}
