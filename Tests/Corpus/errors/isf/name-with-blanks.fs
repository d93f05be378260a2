/*{ "INPUTS": [ { "NAME": "blur amount (px)", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0 } ] }*/
void main() { gl_FragColor = vec4(1.0); }
