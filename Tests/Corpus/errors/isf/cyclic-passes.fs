/*{ "ISFVSN": "2", "INPUTS": [],
  "PASSES": [ {"TARGET": "one"}, {"TARGET": "two"}, {} ] }*/
void main() {
  if (PASSINDEX == 0) gl_FragColor = IMG_THIS_PIXEL(two) + 0.1;
  else if (PASSINDEX == 1) gl_FragColor = IMG_THIS_PIXEL(one) * 0.5;
  else gl_FragColor = IMG_THIS_PIXEL(one);
}
