void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); }
