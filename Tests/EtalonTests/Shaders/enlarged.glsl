/*{
  "ETALON": 1,
  "SIZE": ["width * across", "2 * height"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "across", "TYPE": "int", "MIN": 1, "MAX": 8, "DEFAULT": 3 }
  ]
}*/
vec4 imageKernel(vec2 position) {
  vec4 color = IMG_LOAD(inputImage, ivec2(position * IMG_SIZE(inputImage) / RENDERSIZE));
  return vec4(color.rg, RENDERSIZE.x / 255.0, 1.0);
}
