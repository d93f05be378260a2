/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "amount", "TYPE": "flaot", "DEFAULT": 0.5 },
    { "NAME": "level", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 2 }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 tinted = color.rgb * amount;
  float shade = lvel * 0.5;
  return vec4(tinted + shade, colour.a);
}
