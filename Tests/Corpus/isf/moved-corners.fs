/*{ "ISFVSN": "2", "INPUTS": [ { "NAME": "inputImage", "TYPE": "image" } ] }*/
in float shade;
in mat2 turn;
flat in int corner;
in vec3 row[2];
void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage) * shade * turn[0][0] * row[1].x * float(corner); }
