#version 330
/*{ "ISFVSN": "2", "CATEGORIES": ["Generator"], "INPUTS": [] }*/
precision mediump float;
layout(location = 0) out vec3 color;
#define RADIUS 0.4
void main(void) {
  float d = length(isf_FragNormCoord - 0.5) - RADIUS;
  if (d > 0.1) discard;
  color = vec3(smoothstep(0.0, fwidth(d), d));
}
