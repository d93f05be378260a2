/*{
  "DESCRIPTION": "the first version of ISF",
  "INPUTS": [ { "NAME": "inputImage", "TYPE": "image" } ],
  "IMPORTED": [ { "NAME": "noise", "PATH": "textures/noise.png" } ],
  "PERSISTENT_BUFFERS": { "last": { "WIDTH": "$WIDTH/2.0", "HEIGHT": "$HEIGHT/2.0", "FLOAT": true } },
  "PASSES": [ { "TARGET": "last" }, { "TARGET": "other" }, {} ]
}*/
void main() {
  vec2 p = vv_FragNormCoord;
  gl_FragColor = (IMG_NORM_PIXEL(inputImage, p) + IMG_NORM_PIXEL(last, p) + IMG_NORM_PIXEL(other, p)) * IMG_NORM_PIXEL(noise, p);
}
