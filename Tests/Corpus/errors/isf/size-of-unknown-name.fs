/*{ "INPUTS": [ { "NAME": "quality", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 1 } ],
  "PASSES": [ { "TARGET": "small", "WIDTH": "$WIDHT / 2.0", "HEIGHT": "$HEIGHT * $qualty" }, {} ] }*/
void main() { gl_FragColor = IMG_THIS_PIXEL(small) * quality; }
