/*{ "INPUTS": [ { "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0 }, { "NAME": "a" } ] }*/
void main() { gl_FragColor = vec4(1.0); }
