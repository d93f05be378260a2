/*{ "INPUTS": [ { "NAME": "inputImage", "TYPE": "image" } ] }*/
in vec3 left_coord;
in vec2 steps[3];
in float other;
void main() { gl_FragColor = IMG_NORM_PIXEL(inputImage, left_coord.xy + steps[2] + other); }
