/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "level", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.25 },
    { "NAME": "place", "TYPE": "point2D", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5] },
    { "NAME": "count", "TYPE": "int", "MIN": 0, "MAX": 200, "DEFAULT": 10 },
    { "NAME": "low", "TYPE": "float", "DEFAULT": 0 },
    { "NAME": "high", "TYPE": "float", "DEFAULT": 1 }
  ],
  "CONSTRAINTS": ["low < high"]
}*/

// Shows the values of its parameters as a color.
vec4 imageKernel(vec2 position) {
  return vec4(level * (high - low), place.x, float(count) / 255.0, 1.0);
}
