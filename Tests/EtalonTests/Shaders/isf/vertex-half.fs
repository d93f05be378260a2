/*{ "ISFVSN": "2", "INPUTS": [] }*/
varying vec2 bent;
void main() { gl_FragColor = vec4(bent, 0.0, 1.0); }
