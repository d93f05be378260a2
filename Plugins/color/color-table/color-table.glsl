/*{
  "ETALON": 1,
  "DESCRIPTION": "Looks every color up in a table, of a '.cube' file or of a Hald CLUT.",
  "CATEGORIES": ["color"], "ALIASES": ["lut", "cube", "clut", "hald"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "lut", "TYPE": "table", "LABEL": "Table",
      "HELP": "A '.cube' file, or a PNG picture made from a Hald CLUT; while none is given nothing changes." },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "How much of the color in the table there is; the rest is the color itself." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  vec3 graded = straight + amount * (TABLE_COLOR(lut, straight) - straight);
  return vec4(graded * color.a, color.a);
}
