/*{
  "ETALON": 1, "DESCRIPTION": "A picture at half its size.",
  "INPUTS": [{ "NAME": "iChannel0", "TYPE": "image", "INTERPOLATION": "mipmap" }]
}*/
// pixel: 3, 3
// other: 0.7
vec4 imageKernel(vec2 position) {
  float a = IMG_PIXEL(iChannel0, position * 2.0).r;
  return vec4(a, 0.5, 0.25, 1.0);
}
