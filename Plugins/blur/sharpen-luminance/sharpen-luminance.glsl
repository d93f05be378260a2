/*{
  "ETALON": 1,
  "DESCRIPTION": "Sharpens the detail of a picture by its luma, and leaves its colors alone.",
  "CATEGORIES": ["blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "SPACE": "encoded" },
    { "NAME": "sharpness", "TYPE": "float", "LABEL": "Sharpness", "MIN": -1, "MAX": 5, "DEFAULT": 0.6, "IDENTITY": 0,
      "HELP": "How much of the detail is added; below 0 it is taken away." },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0.1, "MAX": 20, "DEFAULT": 1.5, "UNIT": "px",
      "HELP": "How coarse the detail is: what a Gaussian bell of this standard deviation takes away." }
  ],
  "PASSES": [
    { "KERNEL": "blurHeight", "TARGET": "columns", "FORMAT": "rg32f", "REACH": [0, "ceil(3.0 * sigma)"] },
    { "KERNEL": "sharpen", "REACH": ["ceil(3.0 * sigma)", 0] }
  ]
}*/

/// The luma and the alpha of a pixel, or what is left of them; beyond the edges the last pixels go on.
vec2 tone(sampler2D image, ivec2 place, bool isPicture) {
  vec4 color = texelFetch(image, clamp(place, ivec2(0), textureSize(image, 0) - 1), 0);
  return isPicture ? vec2(dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)), color.a) : color.rg;
}

/// The mean of a line, weighted with a bell.
vec2 bell(sampler2D image, vec2 position, ivec2 direction, bool isPicture) {
  ivec2 place = ivec2(position);
  vec2 sum = tone(image, place, isPicture);
  float weights = 1.0;
  for (int i = 1; i <= int(ceil(3.0 * sigma)); i++) {
    float weight = exp(-0.5 * float(i * i) / (sigma * sigma));
    sum += weight * (tone(image, place + i * direction, isPicture) + tone(image, place - i * direction, isPicture));
    weights += 2.0 * weight;
  }
  return sum / weights;
}

vec4 blurHeight(vec2 position) { return vec4(bell(inputImage, position, ivec2(0, 1), true), 0.0, 0.0); }

vec4 sharpen(vec2 position) {
  vec4 own = texelFetch(inputImage, ivec2(position), 0);
  vec2 soft = bell(columns, position, ivec2(1, 0), false);
  // The blurred luma of what is opaque, as opaque as the pixel: edges of the matte are no detail.
  float smoothLuma = soft.y > 0.0 ? own.a * soft.x / soft.y : 0.0;
  float luma = dot(own.rgb, vec3(0.2126, 0.7152, 0.0722));
  return vec4(own.rgb + sharpness * (luma - smoothLuma), own.a);
}
