/*{ "INPUTS": [ { "NAME": "a", "TYPE": "event" }, { "NAME": "a", "TYPE": "image" } ] }*/
void main() { gl_FragColor = vec4(1.0); }
