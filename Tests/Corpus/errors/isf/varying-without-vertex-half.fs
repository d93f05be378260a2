/*{ "INPUTS": [ { "NAME": "inputImage", "TYPE": "image" } ] }*/
varying vec2 left_coord;
void main() { gl_FragColor = IMG_NORM_PIXEL(inputImage, left_coord); }
