/*{ "INPUTS": [ { "NAME": "waves", "TYPE": "audio", "MAX": 64 }, { "NAME": "tones", "TYPE": "audioFFT" } ] }*/
void main() { gl_FragColor = IMG_THIS_PIXEL(waves) + IMG_THIS_PIXEL(tones); }
