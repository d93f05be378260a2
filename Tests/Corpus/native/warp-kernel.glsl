/*{ "ETALON": 1, "INPUTS": [
  { "NAME": "photo", "TYPE": "image", "INTERPOLATION": "mipmap", "ADDRESS": "mirror" },
  { "NAME": "center", "TYPE": "point2D", "MIN": 0, "MAX": [1, 1], "DEFAULT": [0.5, 0.5], "UNIT": "normalized" },
  { "NAME": "turn", "TYPE": "angle", "MIN": -180, "MAX": 180, "DEFAULT": 30 } ],
  "EXTENT": "infinite", "REACH": "max(width, height)" }*/
vec2 warpKernel(vec2 position) {
  vec2 pivot = center * RENDERSIZE;
  float angle = radians(turn);
  return pivot + mat2(cos(angle), -sin(angle), sin(angle), cos(angle)) * (position - pivot);
}
