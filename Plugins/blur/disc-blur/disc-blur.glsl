/*{
  "ETALON": 1,
  "DESCRIPTION": "Blurs a picture with a disc, as a lens does that is out of focus (bokeh).",
  "CATEGORIES": ["blur"], "ALIASES": ["bokeh", "bokeh-blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "SPACE": "linear" },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 200, "DEFAULT": 8, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the disc goes beyond the pixel in its middle." },
    { "NAME": "edges", "TYPE": "long", "LABEL": "Edges", "VALUES": [0, 1], "LABELS": ["extend", "transparent"], "DEFAULT": 0,
      "HELP": "What lies beyond the edges: the last pixels again, or nothing." }
  ],
  "PASSES": [
    { "KERNEL": "addBlocks", "TARGET": "blocks", "FORMAT": "rgba32f", "WIDTH": "ceil(width / 32.0)" },
    { "KERNEL": "addRows", "TARGET": "sums", "FORMAT": "rgba32f" },
    { "KERNEL": "addDisc" }
  ]
}*/

// A disc is a column of rows, and what a row of pixels adds up to is the difference of two sums that begin at the left edge.

const int blockLength = 32;

/// The sum of a block of pixels in a row.
vec4 addBlocks(vec2 position) {
  ivec2 first = ivec2(int(position.x) * blockLength, int(position.y));
  int end = min(first.x + blockLength, textureSize(inputImage, 0).x);
  vec4 sum = vec4(0.0);
  for (ivec2 place = first; place.x < end; place.x++) sum += texelFetch(inputImage, place, 0);
  return sum;
}

/// The sum of the pixels from the left edge to this one.
vec4 addRows(vec2 position) {
  ivec2 last = ivec2(position);
  int block = last.x / blockLength;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < block; i++) sum += texelFetch(blocks, ivec2(i, last.y), 0);
  for (int x = block * blockLength; x <= last.x; x++) sum += texelFetch(inputImage, ivec2(x, last.y), 0);
  return sum;
}

/// The sum of a row from the left edge to a place between pixels; beyond the edges with what 'edges' says.
vec4 sumTo(float x, int row) {
  ivec2 size = textureSize(sums, 0);
  float inside = clamp(x, 0.0, float(size.x));
  int whole = int(inside);
  vec4 low = whole > 0 ? texelFetch(sums, ivec2(whole - 1, row), 0) : vec4(0.0);
  vec4 sum = mix(low, texelFetch(sums, ivec2(min(whole, size.x - 1), row), 0), inside - float(whole));
  if (edges == 0 && x != inside) sum += (x - inside) * texelFetch(inputImage, ivec2(x < 0.0 ? 0 : size.x - 1, row), 0);
  return sum;
}

/// The area of half a disc between its middle and a line at a distance from it.
float area(float distance, float outer) {
  float place = clamp(distance / outer, -1.0, 1.0);
  return 0.5 * outer * outer * (place * sqrt(1.0 - place * place) + asin(place));
}

vec4 addDisc(vec2 position) {
  if (radius == 0.0) return texelFetch(inputImage, ivec2(position), 0);
  float outer = radius + 0.5;
  int reach = int(ceil(radius));
  int rows = textureSize(sums, 0).y;
  vec4 sum = vec4(0.0);
  float before = area(-float(reach) - 0.5, outer);
  for (int y = -reach; y <= reach; y++) {
    // The row is as long as the part of the disc that is one pixel high has area.
    float after = area(float(y) + 0.5, outer);
    float halfLength = after - before;
    before = after;
    int row = int(position.y) + y;
    if (edges == 1 && (row < 0 || row >= rows)) continue;
    row = clamp(row, 0, rows - 1);
    sum += sumTo(position.x + halfLength, row) - sumTo(position.x - halfLength, row);
  }
  return sum / (radians(180.0) * outer * outer);
}
