/*{
  "ETALON": 1,
  "DESCRIPTION": "A disc on black.",
  "INPUTS": [
    { "NAME": "level", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.5 },
    { "NAME": "center", "TYPE": "point2D", "DEFAULT": [8, 8] },
    { "NAME": "inner", "TYPE": "float", "MIN": 0, "MAX": 64, "DEFAULT": 2 },
    { "NAME": "outer", "TYPE": "float", "MIN": 0, "MAX": 64, "DEFAULT": 4 }
  ],
  "CONSTRAINTS": ["inner < outer"]
}*/

vec4 colorKernel() {
  return vec4(vec3(level * (1.0 - smoothstep(inner, outer, distance(POSITION, center)))), 1.0);
}
