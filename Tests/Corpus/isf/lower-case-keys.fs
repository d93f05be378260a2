/*{
  "isfvsn": "2",
  "Description": "Keys in other cases than the specification has.",
  "inputs": [
    { "name": "inputImage", "type": "image" },
    { "name": "mode", "type": "long", "values": [0, 2], "labels": ["Kept", "Doubled"], "default": 2 }
  ],
  "passes": [{ "target": "kept", "persistent": true }, {}]
}*/
void main() {
  if (PASSINDEX == 0) gl_FragColor = IMG_THIS_PIXEL(inputImage) * float(mode);
  else gl_FragColor = IMG_THIS_PIXEL(kept);
}
