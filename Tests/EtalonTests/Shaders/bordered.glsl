/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": [1, 0.5, 0, 1] },
    { "NAME": "loads", "TYPE": "bool", "DEFAULT": true }
  ],
  "REACH": 4
}*/

vec4 imageKernel(vec2 position) {
  if (loads) return IMG_LOAD(inputImage, ivec2(position) - 4);
  return IMG_PIXEL(inputImage, position + 3.5) + IMG_NORM_PIXEL(inputImage, (position - 3.5) / RENDERSIZE);
}
