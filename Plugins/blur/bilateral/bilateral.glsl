/*{
  "ETALON": 1,
  "DESCRIPTION": "Smooths a picture and keeps its edges: only pixels of a similar color count.",
  "CREDIT": "C. Tomasi, R. Manduchi, Bilateral Filtering for Gray and Color Images, ICCV 1998.",
  "CATEGORIES": ["blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "SPACE": "encoded" },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0, "MAX": 20, "DEFAULT": 3, "IDENTITY": 0, "UNIT": "px",
      "HELP": "The standard deviation of the bell of distances: how far pixels may lie apart." },
    { "NAME": "range", "TYPE": "float", "LABEL": "Range", "MIN": 0.005, "MAX": 2, "DEFAULT": 0.1,
      "HELP": "The standard deviation of the bell of colors: how far colors may be apart, where black and white are 1.7." }
  ],
  "PASSES": [
    { "KERNEL": "average", "REACH": "ceil(2.0 * sigma)" }
  ]
}*/

vec4 average(vec2 position) {
  ivec2 place = ivec2(position);
  ivec2 last = textureSize(inputImage, 0) - 1;
  int reach = int(ceil(2.0 * sigma));
  // A bell as a power of 2: exp(-x / 2s²) = exp2(-x * log2(e) / 2s²).
  float near = -0.72134752 / max(sigma * sigma, 1e-6);
  float alike = -0.72134752 / (range * range);
  vec4 own = texelFetch(inputImage, place, 0);
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int y = -reach; y <= reach; y++) {
    for (int x = -reach; x <= reach; x++) {
      vec4 found = texelFetch(inputImage, clamp(place + ivec2(x, y), ivec2(0), last), 0);
      vec4 apart = found - own;
      float weight = exp2(near * float(x * x + y * y) + alike * dot(apart, apart));
      sum += weight * found;
      weights += weight;
    }
  }
  return sum / weights;
}
