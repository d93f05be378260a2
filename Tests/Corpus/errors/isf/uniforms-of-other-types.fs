/*{ "INPUTS": [] }*/
uniform samplerCube sky;
uniform float weights[4];
uniform Block { vec4 a; };
void main() { gl_FragColor = vec4(weights[0]) * a; }
