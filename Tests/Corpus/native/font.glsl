/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "title", "TYPE": "text", "CHARACTERS": ["U+0020-U+007E"], "FONT": "face", "DEFAULT": "A" },
    { "NAME": "face", "TYPE": "font", "LABEL": "Font", "HELP": "What draws the title." }
  ]
}*/
vec4 imageKernel(vec2 position) { return vec4(FONT_DISTANCE(face, FONT_GLYPH(face, title(0)), position / RENDERSIZE, 1.0)); }
