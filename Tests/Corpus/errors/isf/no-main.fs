/*{ "INPUTS": [] }*/
vec4 color() { return vec4(1.0); }
