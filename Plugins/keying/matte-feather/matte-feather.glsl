/*{
  "ETALON": 1,
  "DESCRIPTION": "Softens the edge between what is opaque in a picture and what is transparent.",
  "CATEGORIES": ["keying"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0, "MAX": 60, "DEFAULT": 3, "IDENTITY": 0, "UNIT": "px",
      "HELP": "The standard deviation of the bell that blurs the matte." },
    { "NAME": "side", "TYPE": "long", "LABEL": "Side", "VALUES": [0, 1], "LABELS": ["both", "inside"], "DEFAULT": 0,
      "HELP": "Whether the edge gets soft to both sides, or only inwards, so that nothing shows that was transparent." }
  ],
  "PASSES": [
    { "KERNEL": "blurHeight", "TARGET": "columns", "FORMAT": "rgba32f", "REACH": [0, "ceil(3.0 * sigma)"] },
    { "KERNEL": "blurWidth", "REACH": ["ceil(3.0 * sigma)", 0] }
  ]
}*/

/// The mean of a line, weighted with a bell; beyond the edges the last pixels go on.
vec4 bell(sampler2D image, ivec2 place, ivec2 direction) {
  ivec2 last = textureSize(image, 0) - 1;
  vec4 sum = texelFetch(image, place, 0);
  float weights = 1.0;
  for (int i = 1; i <= int(ceil(3.0 * sigma)); i++) {
    float weight = exp(-0.5 * float(i * i) / (sigma * sigma));
    sum += weight * texelFetch(image, clamp(place + i * direction, ivec2(0), last), 0);
    sum += weight * texelFetch(image, clamp(place - i * direction, ivec2(0), last), 0);
    weights += 2.0 * weight;
  }
  return sum / weights;
}

vec4 blurHeight(vec2 position) { return bell(inputImage, ivec2(position), ivec2(0, 1)); }

vec4 blurWidth(vec2 position) {
  vec4 own = texelFetch(inputImage, ivec2(position), 0);
  vec4 soft = bell(columns, ivec2(position), ivec2(1, 0));
  // On a straight edge half of the blurred matte lies inside; there it is stretched, so that it ends where the picture does.
  float matte = side == 1 ? min(own.a, clamp(2.0 * soft.a - 1.0, 0.0, 1.0)) : soft.a;
  // A pixel has its own color as far as it was opaque, and that of its neighbors for the rest.
  vec3 color = soft.a > 0.0 ? soft.rgb / soft.a : vec3(0.0);
  vec3 kept = own.a > 0.0 ? mix(color, own.rgb / own.a, own.a) : color;
  return vec4(kept * matte, matte);
}
