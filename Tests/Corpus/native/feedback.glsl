/*{ "ETALON": 1,
  "INPUTS": [{ "NAME": "decay", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.9 }],
  "IMPORTED": { "noise": { "PATH": "noise.png", "ADDRESS": "repeat", "SPACE": "data" } },
  "PASSES": [
    { "KERNEL": "simulate", "TARGET": "trail", "PERSISTENT": true, "FLOAT": true, "WIDTH": 64, "HEIGHT": 32, "ITERATIONS": 4, "REACH": 1 },
    { "KERNEL": "show", "DESCRIPTION": "the picture" },
  ] }*/
vec4 simulate(vec2 position) {
  vec4 before = IMG_PIXEL(trail, position - vec2(1.0, 0.0)) * decay;
  return max(before, IMG_PIXEL(noise, position + vec2(ITERATION, FRAMEINDEX)) * step(0.99, fract(TIME)));
}

vec4 show() { return IMG_THIS_PIXEL(trail); }
