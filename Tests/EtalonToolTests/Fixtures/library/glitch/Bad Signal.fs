/*{
  "ISFVSN": "2",
  "DESCRIPTION": "Shifts rows, as a bad cable does.",
  "CATEGORIES": ["Glitch"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "shift", "TYPE": "float", "MIN": 0.0, "MAX": 1.0, "DEFAULT": 0.1 }
  ]
}*/
void main() {
  vec2 uv = isf_FragNormCoord;
  float noise = fract(sin(floor(uv.y * 60.0) + TIME) * 43758.5453);
  gl_FragColor = IMG_NORM_PIXEL(inputImage, fract(uv + vec2(shift * noise, 0.0)));
}
