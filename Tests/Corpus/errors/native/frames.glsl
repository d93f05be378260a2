/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "FRAMES": [-1, 1] },
    { "NAME": "late", "TYPE": "image", "FRAMES": [1, 2] },
    { "NAME": "far", "TYPE": "image", "FRAMES": [-40, 0] },
    { "NAME": "odd", "TYPE": "image", "FRAMES": [-1, 0], "ENDS": "repeat" },
    { "NAME": "still", "TYPE": "image", "ENDS": "mirror" },
    { "NAME": "plain", "TYPE": "image" },
    { "NAME": "away", "TYPE": "int", "MIN": -2, "MAX": 2, "DEFAULT": 1 }
  ]
}*/
const int tooFar = 1 + 2;

vec4 read(sampler2D image, vec2 position) { return IMG_PIXEL(image, position); }

vec4 imageKernel(vec2 position) {
  vec4 sum = IMG_PIXEL(inputImage[-2], position) + IMG_PIXEL(inputImage[tooFar], position) + IMG_PIXEL(plain[-1], position);
  return sum + read(inputImage[away], position);
}
