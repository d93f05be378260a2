/*{ "ETALON": 1, "INPUTS": [ { "NAME": "power", "TYPE": "float", "MIN": 0, "MAX": 100, "DEFAULT": 20 } ] }*/
vec4 imageKernel(vec2 position) {
  vec2 p = position / RENDERSIZE - 0.5;
  return vec4(vec3(power, power * 0.5, power * 0.25) / (1.0 + 400.0 * dot(p, p)), 1.0);
}
