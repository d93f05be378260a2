/*{
  "ISFVSN": "2",
  "INPUTS": [ { "NAME": "inputImage", "TYPE": "image" } ],
  "PASSES": [ { "TARGET": "kept", "PERSISTENT": true, "FLOAT": true }, {} ]
}*/
void main() {
  if (PASSINDEX == 0) {
    gl_FragColor = mix(IMG_THIS_PIXEL(kept), IMG_THIS_PIXEL(inputImage), 0.5);
  } else {
    gl_FragColor = IMG_THIS_PIXEL(kept);
  }
}
