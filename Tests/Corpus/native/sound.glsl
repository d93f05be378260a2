/*{ "ETALON": 1, "INPUTS": [
  { "NAME": "song", "TYPE": "audioFFT", "MAX": 32, "INTERPOLATION": "nearest" }, { "NAME": "wave", "TYPE": "audio" } ] }*/
vec4 imageKernel(vec2 position) {
  vec2 place = position / RENDERSIZE;
  float height = IMG_NORM_PIXEL(song, vec2(place.x, 0.5)).r, sway = IMG_NORM_PIXEL(wave, vec2(place.x, 0.5)).r;
  return vec4(vec3(step(place.y, height), sway, 0.0), 1.0);
}
