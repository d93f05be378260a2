/*{
  "ETALON": 1,
  "DESCRIPTION": "Keeps a band of a picture sharp and blurs what is beside it, so that scenes look like models.",
  "CATEGORIES": ["blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 200, "DEFAULT": 8, "IDENTITY": 0, "UNIT": "px",
      "HELP": "The standard deviation of the Gaussian bell far from the band." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "A point in the middle of the band, as a fraction of the picture's sides, from the bottom left." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -180, "MAX": 180, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "How far the band is turned from the horizontal." },
    { "NAME": "focus", "TYPE": "float", "LABEL": "Focus", "MIN": 0, "MAX": 2, "DEFAULT": 0.1,
      "HELP": "How far the band goes to each side, as a share of the picture's height." },
    { "NAME": "falloff", "TYPE": "float", "LABEL": "Falloff", "MIN": 0.001, "MAX": 2, "DEFAULT": 0.3,
      "HELP": "How far from the band all of the blur is reached, as a share of the height." }
  ],
  "PASSES": [
    { "KERNEL": "shrinkHeight1", "TARGET": "columns1", "FORMAT": "rgba32f", "WIDTH": "width",
      "HEIGHT": "ceil(height / max(radius / 48.0, 1.0)) + 18.0" },
    { "KERNEL": "shrinkWidth1", "TARGET": "level1", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(radius / 48.0, 1.0)) + 18.0",
      "HEIGHT": "ceil(height / max(radius / 48.0, 1.0)) + 18.0" },
    { "KERNEL": "shrinkHeight2", "TARGET": "columns2", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(radius / 48.0, 1.0)) + 18.0",
      "HEIGHT": "ceil(height / max(radius / 24.0, 1.0)) + 18.0" },
    { "KERNEL": "shrinkWidth2", "TARGET": "level2", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(radius / 24.0, 1.0)) + 18.0",
      "HEIGHT": "ceil(height / max(radius / 24.0, 1.0)) + 18.0" },
    { "KERNEL": "shrinkHeight3", "TARGET": "columns3", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(radius / 24.0, 1.0)) + 18.0",
      "HEIGHT": "ceil(height / max(radius / 12.0, 1.0)) + 18.0" },
    { "KERNEL": "shrinkWidth3", "TARGET": "level3", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(radius / 12.0, 1.0)) + 18.0",
      "HEIGHT": "ceil(height / max(radius / 12.0, 1.0)) + 18.0" },
    { "KERNEL": "shrinkHeight4", "TARGET": "columns4", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(radius / 12.0, 1.0)) + 18.0",
      "HEIGHT": "ceil(height / max(radius / 6.0, 1.0)) + 18.0" },
    { "KERNEL": "shrinkWidth4", "TARGET": "level4", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(radius / 6.0, 1.0)) + 18.0",
      "HEIGHT": "ceil(height / max(radius / 6.0, 1.0)) + 18.0" },
    { "KERNEL": "shrinkHeight5", "TARGET": "columns5", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(radius / 6.0, 1.0)) + 18.0",
      "HEIGHT": "ceil(height / max(radius / 3.0, 1.0)) + 18.0" },
    { "KERNEL": "shrinkWidth5", "TARGET": "level5", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(radius / 3.0, 1.0)) + 18.0",
      "HEIGHT": "ceil(height / max(radius / 3.0, 1.0)) + 18.0" },
    { "KERNEL": "blur" }
  ]
}*/

/// The pixels that a level has beyond each edge: three standard deviations, behind which the last pixels of the picture are all there is.
const int margin = 9;

/// The standard deviation of a level, in pixels of the picture: the last one has all of the radius, each before it half as much.
float deviation(int level) { return level == 0 ? 0.0 : radius * exp2(float(level - 5)); }

/// The variance that a level has so far, with pixels of so many pixels of the picture; reading between large ones adds what is missing.
float variance(int level, float size) {
  float whole = deviation(level) * deviation(level);
  return size > 1.0 ? max(whole - size * size / 3.0, 0.0) : whole;
}

/// How many pixels of the picture a pixel of a level has, where the level has so many without its margins.
vec2 sizeOfPixels(vec2 count) { return IMG_SIZE(inputImage) / count; }

/// A pixel of a level, out of the level before it: along a line, weighted with a bell that has the difference of their variances.
vec4 shrunk(sampler2D image, vec2 position, ivec2 direction, int level) {
  vec2 along = vec2(direction);
  float marginBefore = level == 1 ? 0.0 : float(margin);
  float before = dot(sizeOfPixels(IMG_SIZE(image) - 2.0 * marginBefore), along);
  float after = dot(sizeOfPixels(RENDERSIZE - 2.0 * float(margin)), along);
  float bell = max(variance(level, after) - variance(level - 1, before), 0.0) / (before * before);
  vec2 middle = mix(position, (position - float(margin)) * (after / before) + marginBefore, along);
  ivec2 place = ivec2(floor(middle));
  ivec2 last = textureSize(image, 0) - 1;
  int reach = int(ceil(3.4 * sqrt(bell)));
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int i = -reach; i <= reach; i++) {
    float distance = float(i) + 0.5 - fract(dot(middle, along));
    float weight = exp(-0.5 * distance * distance / max(bell, 1e-6));
    sum += weight * texelFetch(image, clamp(place + i * direction, ivec2(0), last), 0);
    weights += weight;
  }
  return weights > 0.0 ? sum / weights : texelFetch(image, clamp(place, ivec2(0), last), 0);
}

vec4 shrinkHeight1(vec2 position) { return shrunk(inputImage, position, ivec2(0, 1), 1); }

vec4 shrinkWidth1(vec2 position) { return shrunk(columns1, position, ivec2(1, 0), 1); }

vec4 shrinkHeight2(vec2 position) { return shrunk(level1, position, ivec2(0, 1), 2); }

vec4 shrinkWidth2(vec2 position) { return shrunk(columns2, position, ivec2(1, 0), 2); }

vec4 shrinkHeight3(vec2 position) { return shrunk(level2, position, ivec2(0, 1), 3); }

vec4 shrinkWidth3(vec2 position) { return shrunk(columns3, position, ivec2(1, 0), 3); }

vec4 shrinkHeight4(vec2 position) { return shrunk(level3, position, ivec2(0, 1), 4); }

vec4 shrinkWidth4(vec2 position) { return shrunk(columns4, position, ivec2(1, 0), 4); }

vec4 shrinkHeight5(vec2 position) { return shrunk(level4, position, ivec2(0, 1), 5); }

vec4 shrinkWidth5(vec2 position) { return shrunk(columns5, position, ivec2(1, 0), 5); }

/// A smooth surface through the pixels of a level: a cubic B-spline, as four reads between pixels.
vec4 surface(sampler2D image, vec2 position) {
  vec2 size = IMG_SIZE(image) - 2.0 * float(margin);
  if (size == RENDERSIZE) return texelFetch(image, ivec2(position) + margin, 0);
  vec2 place = position / RENDERSIZE * size + float(margin) - 0.5;
  vec2 whole = floor(place);
  vec2 t = place - whole;
  vec2 first = (1.0 - t) * (1.0 - t) * (1.0 - t) / 6.0;
  vec2 fourth = t * t * t / 6.0;
  vec2 third = (1.0 + 3.0 * t * (1.0 + t * (1.0 - t))) / 6.0;
  vec2 second = 1.0 - first - third - fourth;
  vec2 low = whole - 0.5 + second / (first + second);
  vec2 high = whole + 1.5 + fourth / (third + fourth);
  vec2 share = third + fourth;
  vec4 below = mix(IMG_PIXEL(image, low), IMG_PIXEL(image, vec2(high.x, low.y)), share.x);
  vec4 above = mix(IMG_PIXEL(image, vec2(low.x, high.y)), IMG_PIXEL(image, high), share.x);
  return mix(below, above, share.y);
}

vec4 levelAt(int level, vec2 position) {
  switch (level) {
    case 0: return texelFetch(inputImage, ivec2(position), 0);
    case 1: return surface(level1, position);
    case 2: return surface(level2, position);
    case 3: return surface(level3, position);
    case 4: return surface(level4, position);
    default: return surface(level5, position);
  }
}

/// The picture with a share of the whole blur: a mixture of two levels that has the variance in between.
vec4 blurred(vec2 position, float share) {
  if (share <= 0.0 || radius <= 0.0) return levelAt(0, position);
  int level = clamp(int(ceil(log2(share))) + 5, 1, 5);
  float low = deviation(level - 1);
  float high = deviation(level);
  float wanted = share * radius;
  float mixture = clamp((wanted * wanted - low * low) / (high * high - low * low), 0.0, 1.0);
  return mix(levelAt(level - 1, position), levelAt(level, position), mixture);
}

vec4 blur(vec2 position) {
  vec2 offset = (position - center * RENDERSIZE) / RENDERSIZE.y;
  float distance = abs(offset.y * cos(radians(angle)) - offset.x * sin(radians(angle)));
  return blurred(position, smoothstep(focus, focus + falloff, distance));
}
