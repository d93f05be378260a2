/*{ "INPUTS": [ { "NAME": "a", "TYPE": "flaot" }, { "NAME": "b", "TYPE": "cubemap" } ] }*/
void main() { gl_FragColor = vec4(a); }
