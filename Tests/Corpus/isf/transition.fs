/*{ "ISFVSN": "2", "INPUTS": [
  { "NAME": "startImage", "TYPE": "image" }, { "NAME": "endImage", "TYPE": "image" },
  { "NAME": "progress", "TYPE": "float", "MIN": 0.0, "MAX": 1.0, "DEFAULT": 0.0 } ],
  "IMPORTED": { "mask": { "PATH": "mask.png" } } }*/
void main() { gl_FragColor = mix(IMG_THIS_PIXEL(startImage), IMG_THIS_PIXEL(endImage), progress * IMG_THIS_PIXEL(mask).r); }
