/*{
  "ETALON": 1,
  "DESCRIPTION": "Draws the edges of a picture as lines of one pixel.",
  "CREDIT": "J. Canny, A Computational Approach to Edge Detection, 1986.",
  "CATEGORIES": ["stylize"], "ALIASES": ["canny"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0.1, "MAX": 20, "DEFAULT": 1.4, "UNIT": "px", "HELP": "The standard deviation of the bell that smooths the picture first." },
    { "NAME": "low", "TYPE": "float", "LABEL": "Low", "MIN": 0, "MAX": 4, "DEFAULT": 0.1, "HELP": "How steep an edge has to be, as Sobel's sum, where a steeper one goes on." },
    { "NAME": "high", "TYPE": "float", "LABEL": "High", "MIN": 0, "MAX": 4, "DEFAULT": 0.3, "HELP": "How steep it has to be somewhere." }
  ],
  "CONSTRAINTS": ["low <= high"],
  "PASSES": [
    { "KERNEL": "smoothWidth", "TARGET": "wide", "FORMAT": "r32f", "REACH": ["ceil(4.0 * sigma)", 0] },
    { "KERNEL": "smoothHeight", "TARGET": "even", "FORMAT": "r32f", "REACH": [0, "ceil(4.0 * sigma)"] },
    { "KERNEL": "findSlopes", "TARGET": "slopes", "FORMAT": "rg32f", "REACH": 1 },
    { "KERNEL": "thin", "TARGET": "lines", "FORMAT": "r32f", "REACH": 2 },
    { "KERNEL": "follow", "TARGET": "followed", "FORMAT": "r32f", "ITERATIONS": 32, "REACH": 1 },
    { "KERNEL": "draw", "REACH": 0 }
  ]
}*/

/// The mean along a line, weighted with a bell; of the picture its luma counts.
float bell(sampler2D image, vec3 weights, vec2 position, ivec2 direction) {
  int radius = int(ceil(4.0 * sigma));
  float sum = 0.0;
  float total = 0.0;
  for (int i = -radius; i <= radius; i++) {
    float weight = exp(-0.5 * float(i * i) / (sigma * sigma));
    sum += weight * dot(IMG_LOAD(image, ivec2(position) + i * direction).rgb, weights);
    total += weight;
  }
  return sum / total;
}

vec4 smoothWidth(vec2 position) { return vec4(bell(inputImage, vec3(0.2126, 0.7152, 0.0722), position, ivec2(1, 0))); }

vec4 smoothHeight(vec2 position) { return vec4(bell(wide, vec3(1.0, 0.0, 0.0), position, ivec2(0, 1))); }

float evenAt(vec2 position, int x, int y) { return IMG_LOAD(even, ivec2(position) + ivec2(x, y)).r; }

vec4 findSlopes(vec2 position) {
  float right = evenAt(position, 1, 1) + 2.0 * evenAt(position, 1, 0) + evenAt(position, 1, -1) -
    evenAt(position, -1, 1) - 2.0 * evenAt(position, -1, 0) - evenAt(position, -1, -1);
  float up = evenAt(position, 1, 1) + 2.0 * evenAt(position, 0, 1) + evenAt(position, -1, 1) -
    evenAt(position, 1, -1) - 2.0 * evenAt(position, 0, -1) - evenAt(position, -1, -1);
  return vec4(right, up, 0.0, 0.0);
}

float steepness(ivec2 place) { return length(IMG_LOAD(slopes, place).rg); }

/// How steep it is up to the point where a line along the slope leaves the pixels around.
float beside(ivec2 place, vec2 slope, float side) {
  ivec2 toward = ivec2(slope.x < 0.0 ? -1 : 1, slope.y < 0.0 ? -1 : 1) * int(side);
  vec2 size = abs(slope);
  bool isFlat = size.x > size.y;
  float share = isFlat ? size.y / size.x : size.x / max(size.y, 1e-20);
  ivec2 straight = isFlat ? ivec2(toward.x, 0) : ivec2(0, toward.y);
  return mix(steepness(place + straight), steepness(place + toward), share);
}

/// 1 on the ridges that are steep, 0.5 on those that are steep enough to go on.
vec4 thin(vec2 position) {
  ivec2 place = ivec2(position);
  vec2 slope = IMG_LOAD(slopes, place).rg;
  float here = length(slope);
  if (here <= low || here < beside(place, slope, 1.0) || here <= beside(place, slope, -1.0)) return vec4(0.0);
  return vec4(here > high ? 1.0 : 0.5);
}

/// In each step weak edges become strong ones beside strong ones.
vec4 follow(vec2 position) {
  ivec2 place = ivec2(position);
  float here = ITERATION == 0 ? IMG_LOAD(lines, place).r : IMG_LOAD(followed, place).r;
  if (here != 0.5) return vec4(here);
  for (int y = -1; y <= 1; y++) {
    for (int x = -1; x <= 1; x++) {
      float other = ITERATION == 0 ? IMG_LOAD(lines, place + ivec2(x, y)).r : IMG_LOAD(followed, place + ivec2(x, y)).r;
      if (other == 1.0) return vec4(1.0);
    }
  }
  return vec4(here);
}

vec4 draw(vec2 position) {
  float alpha = IMG_THIS_PIXEL(inputImage).a;
  return vec4(vec3(IMG_LOAD(followed, ivec2(position)).r == 1.0 ? alpha : 0.0), alpha);
}
