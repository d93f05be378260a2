/*{ "INPUTS": [ { "NAME": "TIME", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0 }, { "NAME": "float", "TYPE": "event" } ] }*/
void main() { gl_FragColor = vec4(TIME); }
