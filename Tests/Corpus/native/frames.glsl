/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "FRAMES": [-2, 2], "ENDS": "mirror" },
    { "NAME": "maskImage", "TYPE": "image", "ADDRESS": "#102030ff", "FRAMES": [-1, 0] },
    { "NAME": "away", "TYPE": "int", "MIN": -2, "MAX": 2, "DEFAULT": 1 }
  ]
}*/
#define BEFORE inputImage[-1]
const int last = 1 + 1;

vec4 mean(sampler2D image, vec2 position) { return 0.5 * (IMG_PIXEL(image, position) + IMG_PIXEL(image, position + 1.0)); }

vec4 imageKernel(vec2 position) {
  ivec2 place = ivec2(position);
  vec4 sum = IMG_LOAD(inputImage[last], place) + IMG_PIXEL(BEFORE, position) + mean(inputImage[0], position);
  return sum + IMG_LOAD(inputImage[away - (place.x & 1)], place) * IMG_THIS_PIXEL(maskImage[-1]);
}
