/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "lut", "TYPE": "lut" },
    { "NAME": "look", "TYPE": "table", "DEFAULT": 0 },
    { "NAME": "grade", "TYPE": "table" }
  ]
}*/
vec4 colorKernel(vec4 color) { return IMG_PIXEL(grade, POSITION) + vec4(TABLE_COLOR(inputImage, color.rgb), 1.0); }
