/*{
  "ETALON": 1,
  "DESCRIPTION": "Waves of color that flow through each other.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 0.02, "MAX": 4, "DEFAULT": 0.4, "UNIT": "normalized",
      "HELP": "How long the waves are, as a fraction of the picture's shorter side." },
    { "NAME": "speed", "TYPE": "float", "LABEL": "Speed", "MIN": -8, "MAX": 8, "DEFAULT": 1, "HELP": "How fast the waves flow." },
    { "NAME": "cycles", "TYPE": "float", "LABEL": "Cycles", "MIN": 0.1, "MAX": 16, "DEFAULT": 1,
      "HELP": "How often all colors come between the lowest and the highest place of the waves." },
    { "NAME": "shift", "TYPE": "angle", "LABEL": "Shift", "MIN": -360, "MAX": 360, "DEFAULT": 0, "UNIT": "deg", "HELP": "How far colors are turned." },
    { "NAME": "pastel", "TYPE": "float", "LABEL": "Pastel", "MIN": 0, "MAX": 1, "DEFAULT": 0, "HELP": "How much white there is in the colors." }
  ]
}*/

const float turn = 6.28318530718;

vec4 colorKernel() {
  vec2 place = (POSITION - 0.5 * RENDERSIZE) / (scale * min(RENDERSIZE.x, RENDERSIZE.y));
  float moment = speed * TIME;
  // Four waves: along x, along a direction that turns, along the diagonal, and rings around a point that wanders.
  vec2 wander = place + 0.6 * vec2(sin(moment / 5.0), cos(moment / 3.0));
  float sum = sin(turn * place.x + moment) + sin(turn * 0.5 * (place.x * sin(moment / 2.0) + place.y * cos(moment / 3.0)) + moment) +
    sin(turn * 0.35 * (place.x + place.y) + 0.7 * moment) + sin(turn * 0.8 * sqrt(dot(wander, wander) + 0.02) + moment);
  vec3 wave = 0.5 + 0.5 * cos(turn * (cycles * 0.25 * sum + shift / 360.0 - vec3(0.0, 1.0, 2.0) / 3.0));
  return vec4(mix(wave, vec3(1.0), 0.6 * pastel), 1.0);
}
