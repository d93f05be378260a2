/*{
  "ISFVSN": "2",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "amount", "TYPE": "float", "MIN": 0.0, "MAX": 1.0, "DEFAULT": 0.5 }
  ]
}*/
void main() { gl_FragColor = mix(IMG_THIS_PIXEL(inputImage), vec4(1.0, 0.5, 0.0, 1.0), amount); }
