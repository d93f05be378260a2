/*{
  "ETALON": 1,
  "DESCRIPTION": "Draws which tints a picture has: hues around a circle, strong colors far from its middle.",
  "CREDIT": "ITU-R BT.709 (Cb and Cr); the marks are those of color bars of 75 %.",
  "CATEGORIES": ["analysis"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "gain", "TYPE": "float", "LABEL": "Gain", "MIN": 0.1, "MAX": 100, "DEFAULT": 3, "HELP": "How bright the trace is." },
    { "NAME": "zoom", "TYPE": "float", "LABEL": "Zoom", "MIN": 1, "MAX": 8, "DEFAULT": 1, "HELP": "How much larger the middle is shown." },
    { "NAME": "shade", "TYPE": "float", "LABEL": "Shade", "MIN": 0, "MAX": 1, "DEFAULT": 1, "HELP": "How dark the picture is behind it." }
  ],
  "BUFFERS": [
    { "NAME": "counts", "TYPE": "uint", "COUNT": 65536 }
  ],
  "PASSES": [
    { "KERNEL": "count", "LOCAL_SIZE": [16, 16], "WRITES": [], "DESCRIPTION": "counts the tints" },
    { "KERNEL": "draw" }
  ]
}*/

const int side = 256;

/// Cb and Cr of Rec. 709, from -0.5 to 0.5.
vec2 chroma(vec3 color) { return (color.br - dot(color, vec3(0.2126, 0.7152, 0.0722))) / vec2(1.8556, 1.5748); }

/// The color of a tint, with a luma that shows it.
vec3 tinted(vec2 chroma) {
  vec3 color = vec3(1.5748 * chroma.y, -0.1873 * chroma.x - 0.4681 * chroma.y, 1.8556 * chroma.x);
  return clamp(0.65 + 1.2 * color, 0.0, 1.0);
}

void count(ivec2 position) {
  if (!IMG_INSIDE(inputImage, position)) return;
  vec4 color = IMG_LOAD(inputImage, position);
  if (color.a <= 0.0) return;
  vec2 place = (chroma(clamp(color.rgb / color.a, 0.0, 1.0)) * zoom + 0.5) * float(side);
  if (any(lessThan(place, vec2(0.0))) || any(greaterThanEqual(place, vec2(float(side))))) return;
  atomicAdd(counts[int(place.y) * side + int(place.x)], 1u);
}

/// How much light the graticule has at a tint, where a pixel is so wide: a circle, a cross, the line of skin, and rings around the colors of bars.
float graticule(vec2 place, float pixel) {
  float light = 0.0;
  if (abs(length(place) - 0.5) < pixel || min(abs(place.x), abs(place.y)) < 0.75 * pixel) light = 0.25;
  vec2 skin = vec2(cos(radians(123.0)), sin(radians(123.0)));
  if (dot(place, skin) > 0.0 && abs(place.x * skin.y - place.y * skin.x) < 0.5 * pixel && length(place) < 0.5) light = 0.35;
  for (int i = 1; i < 7; i++) {
    vec2 bar = chroma(0.75 * vec3(i & 1, (i >> 1) & 1, i >> 2)) * zoom;
    if (abs(distance(place, bar) - 0.025) < pixel) light = 0.5;
  }
  return light;
}

vec4 draw(vec2 position) {
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  float size = min(RENDERSIZE.x, RENDERSIZE.y);
  vec2 place = (position - 0.5 * RENDERSIZE) / size;
  vec3 light = vec3(0.0);
  if (abs(place.x) < 0.5 && abs(place.y) < 0.5) {
    ivec2 bin = ivec2((place + 0.5) * float(side));
    float share = float(counts[bin.y * side + bin.x]) / (IMG_SIZE(inputImage).x * IMG_SIZE(inputImage).y);
    light = tinted(place / zoom) * (1.0 - exp(-gain * 2000.0 * share));
    light = max(light, vec3(graticule(place, 1.0 / size)));
  }
  vec3 behind = picture.rgb * (1.0 - shade);
  return vec4(behind + light * (1.0 - behind), mix(picture.a, 1.0, max(shade, max(light.r, max(light.g, light.b)))));
}
