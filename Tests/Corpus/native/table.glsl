/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "lut", "TYPE": "table", "LABEL": "Grade" },
    { "NAME": "look", "TYPE": "table" }
  ]
}*/
vec3 graded(sampler2D table, vec3 color) { return TABLE_COLOR(table, color); }

vec4 colorKernel(vec4 color) { return vec4(mix(graded(lut, color.rgb), TABLE_COLOR(look, color.rgb), 0.5), color.a); }
