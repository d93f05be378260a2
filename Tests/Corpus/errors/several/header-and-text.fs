/*{ "ISFVSN": "2", "DESCRIPTON": "x",
  "INPUTS": [ {"NAME": "inputImage", "TYPE": "imag"}, {"NAME": "a", "TYPE": "float", "MIN": 0, "MAX": "high", "DEFAULT": 0.5}, {"NAME": "a", "TYPE": "float"} ],
  "PASSES": [ {"TARGET": "one", "WIDTH": "$WIDHT/2"}, {"TARGET": "two"}, {} ] }*/
uniform int level[3];
varying vec2 nobody;
void main() {
  if (PASSINDEX == 0) gl_FragColor = IMG_THIS_PIXEL(two) + 0.1;
  else if (PASSINDEX == 1) gl_FragColor = IMG_THIS_PIXEL(one) * 0.5;
  else gl_FragColor = IMG_THIS_PIXEL(one) + undefinedName + vec3(1.0);
}
