/*{
  "ISFVSN": "2",
  "INPUTS": [
    { "NAME": "waves", "TYPE": "audio", "MAX": 8 }, { "NAME": "tones", "TYPE": "audioFFT", "MAX": 16 },
    { "NAME": "inputImage", "TYPE": "image" }
  ]
}*/
void main() {
  vec2 place = isf_FragNormCoord;
  gl_FragColor = vec4(IMG_NORM_PIXEL(waves, place).r, IMG_NORM_PIXEL(tones, place).g, IMG_SIZE(tones).x / 255.0, IMG_SIZE(waves).y / 255.0 * IMG_THIS_PIXEL(inputImage).a);
}
