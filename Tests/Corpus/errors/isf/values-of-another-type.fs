/*{ "INPUTS": [
  { "NAME": "a", "TYPE": "color", "DEFAULT": [1, 0] },
  { "NAME": "b", "TYPE": "point2D", "DEFAULT": 0.5 },
  { "NAME": "c", "TYPE": "float", "MIN": "low", "MAX": [0, 1], "DEFAULT": 0 },
  { "NAME": "d", "TYPE": "long", "VALUES": ["one"], "DEFAULT": 1e10 } ] }*/
void main() { gl_FragColor = a + b.x + c + float(d); }
