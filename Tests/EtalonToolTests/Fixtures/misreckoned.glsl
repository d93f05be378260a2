/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "inner", "TYPE": "float", "DEFAULT": 3 },
    { "NAME": "outer", "TYPE": "float", "DEFAULT": 2 }
  ],
  "CONSTRAINTS": ["inner < outer"],
  "REACH": "2 +* outer",
  "EXTENT": [0, 0, "-5", "inner"]
}*/

vec4 imageKernel(vec2 position) { return IMG_PIXEL(inputImage, position) * inner * outer; }
