/*{ "ISFVSN": "2", "INPUTS": [
  { "NAME": "filter", "TYPE": "image" },
  { "NAME": "clamp", "TYPE": "float", "MIN": 0.0, "MAX": 1.0, "DEFAULT": 1.0 },
  { "NAME": "mix", "TYPE": "float", "MIN": 0.0, "MAX": 1.0, "DEFAULT": 0.5 },
  { "NAME": "half", "TYPE": "color", "DEFAULT": [0.5, 0.5, 0.5, 1.0] } ],
  "PASSES": [ { "TARGET": "buffer", "PERSISTENT": true }, {} ] }*/
float distance(vec2 a, vec2 b) { return length(a - b); }
void main() {
  vec4 texture = IMG_THIS_PIXEL(filter);
  gl_FragColor = texture * mix + half * clamp + IMG_THIS_PIXEL(buffer) * distance(isf_FragNormCoord, vec2(0.5)) * distance(1.0, 0.5);
}
