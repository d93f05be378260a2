/*{ "ETALON": 1, "ALPHA": "straight", "INPUTS": [
  { "NAME": "sample", "TYPE": "image", "ADDRESS": [0.5, 0, 0, 1], "INTERPOLATION": "nearest" },
  { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "mipmap" },
  { "NAME": "distance", "TYPE": "vec2", "MIN": 0, "MAX": 100, "DEFAULT": [3, 4], "UNIT": "px" } ],
  "CONSTRAINTS": ["distance.x < distance.y"], "REACH": ["distance.x", "distance.y"] }*/
#version 460
#extension GL_EXT_control_flow_attributes : enable
#define ALWAYS(x) (x)

vec4 cross9(sampler2D image, vec2 position) {
  vec4 sum = vec4(0.0);
  [[unroll]] for (int i = -4; i <= 4; i++) sum += IMG_PIXEL(image, position + float(i) * distance);
  return sum / 9.0;
}

vec4 unused(vec2 p) { return vec4(dFdx(p), TIME, PROGRESS); }

vec4 imageKernel(vec2 position) {
  vec2 middle = 0.5 * IMG_SIZE(inputImage);
  float far = distance(position, middle) + fwidth(position.x);
  vec4 edge = IMG_INSIDE(inputImage, position) ? IMG_NORM_PIXEL(inputImage, position / RENDERSIZE) : vec4(0.0);
  vec4 hard = IMG_LOAD(sample, ivec2(position)) + IMG_PIXEL(sample, position) + IMG_THIS_PIXEL(sample);
  return ALWAYS(cross9(inputImage, position)) + edge + texture(inputImage, vec2(0.5)) + hard * far;
}
