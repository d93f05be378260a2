/*{ "ISFVSN": "2", "INPUTS": [
  { "NAME": "divisor", "TYPE": "float", "DEFAULT": 3, "MIN": 1 },
  { "NAME": "unused", "TYPE": "float" }
], "PASSES": [ { "TARGET": "small", "WIDTH": "$WIDTH/$divisor", "HEIGHT": "$HEIGHT/$divisor" }, {} ] }*/
void paint(inout vec4 color, float level) { color = vec4(vec3(level), 1.0); }
void main() {
  if (PASSINDEX == 0) paint(fragColor, isf_FragNormCoord.x);
  else fragColor = IMG_THIS_PIXEL(small);
}
