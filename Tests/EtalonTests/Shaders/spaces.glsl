/*{
  "ETALON": 1,
  "ALPHA": "straight",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear", "ALPHA": "straight" },
    { "NAME": "thin", "TYPE": "image", "ALPHA": "premultiplied" },
    { "NAME": "solid", "TYPE": "image", "ALPHA": "opaque" }
  ]
}*/
vec4 colorKernel(vec4 first, vec4 second, vec4 third) {
  return vec4(first.r, second.g, third.a * third.b, 1.0);
}
