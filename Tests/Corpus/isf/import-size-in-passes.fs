/*{
  "ISFVSN": "2",
  "INPUTS": [],
  "IMPORTED": { "grain": { "PATH": "grain.png" } },
  "PASSES": [{ "TARGET": "small" }, {}]
}*/
void main() {
  if (PASSINDEX == 0) gl_FragColor = IMG_NORM_PIXEL(grain, isf_FragNormCoord);
  else gl_FragColor = IMG_THIS_PIXEL(small) * vec4(_grain_imgSize / _grain_imgRect.zw, float(_grain_flip), 1.0);
}
