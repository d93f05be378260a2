/*{
  "ETALON": 1,
  "DESCRIPTION": "Blurs a picture along a line, as a movement of the camera does.",
  "CATEGORIES": ["blur"], "ALIASES": ["directional-blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 1000, "DEFAULT": 20, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the line goes to each side of the pixel." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "Where the line points: to the right at 0, up at 90." },
    { "NAME": "edges", "TYPE": "long", "LABEL": "Edges", "VALUES": [0, 1], "LABELS": ["extend", "transparent"], "DEFAULT": 0,
      "HELP": "What lies beyond the edges: the last pixels again, or nothing." }
  ],
  "PASSES": [
    { "KERNEL": "addRuns", "TARGET": "runs", "FORMAT": "rgba32f", "WIDTH": "width + 2.0 * ceil(radius * abs(cos(radians(angle))))",
      "HEIGHT": "height + 2.0 * ceil(radius * abs(sin(radians(angle))))", 
      "REACH": ["(radius + sqrt(2.0 * radius + 1.0) + 3.0) * (1.0 + 2.0 * ceil(radius) / width)",
        "(radius + sqrt(2.0 * radius + 1.0) + 3.0) * (1.0 + 2.0 * ceil(radius) / height)"] },
    { "KERNEL": "addLine", "REACH": "2.0 * radius + 3.0" }
  ]
}*/

// The line is cut into runs: the first pass finds the mean of a run around every pixel, and the second one the mean of the runs of a line. With
// runs of about the square root of n places, as many runs are left to add.

/// The direction of the line, and how far the first target goes beyond each edge, because lines of the last pixels do.
vec2 direction() { return vec2(cos(radians(angle)), sin(radians(angle))); }

vec2 margin() { return ceil(radius * abs(direction())); }

/// The places of a run, which are as many as the runs of a line.
int count() { return int(ceil(sqrt(2.0 * radius + 1.0))); }

/// The distance between two places, at most a pixel.
float spacing() { return (2.0 * radius + 1.0) / float(count() * count()); }

vec4 addRuns(vec2 position) {
  vec2 middle = position - margin();
  vec4 sum = vec4(0.0);
  for (int i = 0; i < count(); i++) {
    vec2 place = middle + (float(i) - 0.5 * float(count() - 1)) * spacing() * direction();
    float weight = edges == 1 ? float(IMG_INSIDE(inputImage, place)) : 1.0;
    sum += weight * IMG_PIXEL(inputImage, place);
  }
  return sum / float(count());
}

vec4 addLine(vec2 position) {
  vec2 middle = position + margin();
  float length = spacing() * float(count());
  vec4 sum = vec4(0.0);
  for (int i = 0; i < count(); i++) sum += IMG_PIXEL(runs, middle + (float(i) - 0.5 * float(count() - 1)) * length * direction());
  return sum / float(count());
}
