/*{
  "ETALON": 1,
  "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "radius", "TYPE": "float", "DEFAULT": 2.5 }],
  "EXTENT": "grow",
  "PASSES": [
    { "KERNEL": "left", "TARGET": "half", "SCALE": 0.5, "REACH": [1, 0] },
    { "KERNEL": "copy", "REACH": ["radius", "radius"] }
  ]
}*/

vec4 left(vec2 position) { return vec4(0.0); }
vec4 copy(vec2 position) { return IMG_PIXEL(inputImage, position) + IMG_PIXEL(half, position / 2.0); }
