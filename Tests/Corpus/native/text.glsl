/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "title", "TYPE": "text", "LENGTH": 10, "CHARACTERS": ["U+0020-U+007E", "U+20AC"], "DEFAULT": "two\nlines" },
    { "NAME": "note", "TYPE": "text", "DEFAULT": "" }
  ]
}*/
vec4 colorKernel() { return vec4(float(title(int(POSITION.x))) / 255.0, float(TEXT_LENGTH(note)), 0.0, 1.0); }
