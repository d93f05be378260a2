/*{ "ISFVSN": "2", "INPUTS": [] }*/
in vec2 place;
void main() { gl_FragColor = vec4(place, isf_FragNormCoord.x, 1.0); }
