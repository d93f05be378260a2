/*{ "INPUTS": [] }*/
varying vec2 place;
void main() { gl_FragColor = vec4(place, 0.0, 1.0); }
