/*{
  "ISFVSN": "2",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "picture" },
    { "NAME": "level", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.5 }
  ]
}*/

void main() {
  vec4 color = IMG_THIS_PIXEL(inputImage);
  gl_FragColor = vec4(color.rgb * levle, 1.0);
}
