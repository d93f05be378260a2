/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes what is opaque in a picture larger or smaller by some pixels.",
  "CATEGORIES": ["keying"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "distance", "TYPE": "float", "LABEL": "Distance", "MIN": -100, "MAX": 100, "DEFAULT": 2, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far edges move: outwards above 0, inwards below; of a fraction, the last pixel counts in part." }
  ],
  "PASSES": [
    { "KERNEL": "findInColumns", "TARGET": "columns", "FORMAT": "rgba32f", "REACH": [0, "ceil(abs(distance))"] },
    { "KERNEL": "findInRows", "REACH": ["ceil(abs(distance))", 0] }
  ]
}*/

/// How much more opaque a pixel has to be to count: less is an error of rounding, and would change colors for nothing.
const float margin = 1e-4;

/// The pixel of a line that is the most opaque, or the least; of equals the nearest one.
vec4 extreme(sampler2D image, ivec2 place, ivec2 direction) {
  ivec2 last = textureSize(image, 0) - 1;
  int reach = int(ceil(abs(distance)));
  vec4 own = texelFetch(image, place, 0);
  vec4 result = own;
  for (int i = 1; i <= reach; i++) {
    // The outermost pixels count as far as the distance reaches into them.
    float share = min(abs(distance) - float(i - 1), 1.0);
    for (int side = -1; side <= 1; side += 2) {
      vec4 found = texelFetch(image, clamp(place + side * i * direction, ivec2(0), last), 0);
      float alpha = mix(own.a, found.a, share);
      if (distance > 0.0 ? alpha <= result.a + margin : alpha >= result.a - margin) continue;
      result = vec4(found.a > 0.0 ? found.rgb / found.a * alpha : vec3(0.0), alpha);
    }
  }
  if (distance >= 0.0) return result;
  // A pixel that becomes more transparent keeps its own color.
  return own.a > 0.0 ? own * (result.a / own.a) : vec4(0.0);
}

vec4 findInColumns(vec2 position) { return extreme(inputImage, ivec2(position), ivec2(0, 1)); }

vec4 findInRows(vec2 position) { return extreme(columns, ivec2(position), ivec2(1, 0)); }
