/*{ "INPUTS": [ { "NAME": "inputImage", "TYPE": "image" } ], "PASSES": [ { "TARGET": "inputImage" }, {} ] }*/
void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); }
