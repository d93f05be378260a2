/*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" }],
  "EXTENT": [0, 0, "width * 2", 100], "ALPHA": "opaque",
  "PASSES": [{ "TARGET": "half", "SCALE": 0.5 }, { "TARGET": "half" }, {}] }*/
vec4 imageKernel(vec2 position) {
  return PASSINDEX == 0 ? IMG_THIS_PIXEL(inputImage) : PASSINDEX == 1 ? IMG_PIXEL(half, position + 1.0) : IMG_THIS_PIXEL(half) + DURATION + RATE + TIMEDELTA + DATE;
}
