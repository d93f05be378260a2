/*{ "ISFVSN": "2", "INPUTS": [ { "NAME": "level", "TYPE": "flaot" } ] }*/
#include "noise.glsl"
#include "colors.glsl"

void main() {
  gl_FragColor = vec4(noise(isf_FragNormCoord) * level);
}
