/*{
  "ETALON": 1,
  "INPUTS": [{ "NAME": "level", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.5 }]
}*/

// Light up to a level. Nothing is larger than the upper limit of 'clamp'.
vec4 imageKernel(vec2 position) {
  vec2 place = position / RENDERSIZE;
  float light = place.x < level ? 1.0 : 0.25;
  return vec4(light, clamp(place.y, 0.1, 1.0), 0.5, 1.0);
}
