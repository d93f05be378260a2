/*{ "INPUTS": [ { "NAME": "", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0 }, { "NAME": "", "TYPE": "image" } ] }*/
void main() { gl_FragColor = vec4(1.0); }
