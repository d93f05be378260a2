/*{
  "ETALON": 1, "DESCRIPTION": "The nearest texel at an edge between two.",
  "INPUTS": [{ "NAME": "iChannel0", "TYPE": "image", "INTERPOLATION": "nearest" }]
}*/
// pixel: 9, 3
// other: 0.3529412, 0.392157
vec4 imageKernel(vec2 position) {
  float a = IMG_NORM_PIXEL(iChannel0, (position + vec2(0.5, 0.0)) / RENDERSIZE).g;
  return vec4(a, 0.5, 0.25, 1.0);
}
