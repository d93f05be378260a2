/*{ "INPUTS": [ { "NAME": "waves", "TYPE": "audio", "MAX": 0 }, { "NAME": "tones", "TYPE": "audioFFT", "MAX": 0.5 } ] }*/
void main() { gl_FragColor = IMG_THIS_PIXEL(waves) + IMG_THIS_PIXEL(tones); }
