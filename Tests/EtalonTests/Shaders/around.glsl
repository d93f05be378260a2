/*{
  "ETALON": 1,
  "DESCRIPTION": "Reads a picture around each pixel in all ways: whole pixels, between them, and differences of neighbors.",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "way", "TYPE": "int", "DEFAULT": 0 }
  ],
  "REACH": [3, 2]
}*/

vec4 fetched(sampler2D image, ivec2 place) {
  return texelFetch(image, clamp(place, ivec2(0), textureSize(image, 0) - 1), 0);
}

vec4 between(vec2 step, sampler2D image, vec2 position) {
  return 0.5 * (IMG_PIXEL(image, position - step) + fetched(image, ivec2(position + step)));
}

vec4 imageKernel(vec2 position) {
  vec2 size = IMG_SIZE(inputImage);
  if (way == 0) {
    vec4 color = 0.25 * IMG_LOAD(inputImage, ivec2(position) + ivec2(-3, 2)) + 0.5 * fetched(inputImage, ivec2(position) + ivec2(3, -2));
    if (IMG_INSIDE(inputImage, ivec2(position) + 1) && IMG_INSIDE(inputImage, position - 2.0)) color *= 0.75;
    return color + 0.25 * IMG_THIS_PIXEL(inputImage) * vec4(position / RENDERSIZE, POSITION / size);
  }
  if (way == 1) {
    vec4 color = IMG_PIXEL(inputImage, position + vec2(2.25, -1.5)) + IMG_NORM_PIXEL(inputImage, (position + vec2(-3.0, 2.0)) / size);
    return 0.25 * color + 0.5 * between(vec2(1.75, 1.0), inputImage, position);
  }
  vec4 color = IMG_LOAD(inputImage, ivec2(position));
  return vec4(abs(dFdx(color.rg)), fwidth(color.ba));
}
