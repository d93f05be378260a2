/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "typed", "TYPE": "typeface" },
    { "NAME": "face", "TYPE": "font" },
    { "NAME": "grade", "TYPE": "table" },
    { "NAME": "title", "TYPE": "text", "FONT": "fase", "DEFAULT": "" },
    { "NAME": "note", "TYPE": "text", "FONT": "inputImage", "DEFAULT": "" }
  ]
}*/
vec4 colorKernel(vec4 color) {
  float away = FONT_DISTANCE(inputImage, 0, POSITION, 1.0) + FONT_ADVANCE(grade, 0);
  return IMG_LOAD(face, ivec2(0)) + texture(face, POSITION) + vec4(TABLE_COLOR(face, color.rgb), away);
}
