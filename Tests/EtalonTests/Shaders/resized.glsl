/*{
  "ETALON": 1,
  "INPUTS": [ { "NAME": "side", "TYPE": "float", "MIN": 1, "MAX": 64, "DEFAULT": 4 } ],
  "PASSES": [ { "TARGET": "cells", "KERNEL": "cell", "WIDTH": "$side", "HEIGHT": "max($side / 2, 1)" }, { "KERNEL": "show" } ]
}*/

vec4 cell(vec2 position) {
  return vec4(position / RENDERSIZE, 0.0, 1.0);
}

// The number of columns and rows of the other pass's target, and one of its pixels.
vec4 show(vec2 position) {
  return vec4(IMG_SIZE(cells) / 255.0, IMG_LOAD(cells, ivec2(0, 0)).x, 1.0);
}
