/*{
  "ETALON": 1,
  "DESCRIPTION": "Blurs a picture towards a point, as zooming during an exposure does.",
  "CATEGORIES": ["blur"], "ALIASES": ["radial-blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 0.95, "DEFAULT": 0.2, "IDENTITY": 0,
      "HELP": "How much smaller the picture gets while it is exposed: 0.2 by a fifth." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The point that stays sharp, as a fraction of the picture's sides, from the bottom left." }
  ],
  "PASSES": [
    { "KERNEL": "addRuns", "TARGET": "runs", "FORMAT": "rgba32f" },
    { "KERNEL": "addRay" }
  ]
}*/

// Two zooms are a zoom by the product of their scales: the first pass finds the means of runs of scales, the second one those of the runs.

/// The scales of a run, which are as many as the runs: enough for places that are a pixel apart in the corner that is farthest.
int count() {
  vec2 far = max(center, 1.0 - center) * RENDERSIZE;
  return clamp(int(ceil(sqrt(length(far) * -log(1.0 - amount)))), 1, 48);
}

/// The mean of as many places on the way to the center; each is the same ratio nearer than the one before.
vec4 mean(sampler2D image, vec2 position, float first, float step) {
  vec2 middle = center * RENDERSIZE;
  float ratio = exp(log(1.0 - amount) * step);
  float scale = exp(log(1.0 - amount) * first);
  vec4 sum = vec4(0.0);
  for (int i = 0; i < count(); i++) {
    sum += IMG_PIXEL(image, middle + (position - middle) * scale);
    scale *= ratio;
  }
  return sum / float(count());
}

vec4 addRuns(vec2 position) { return mean(inputImage, position, 0.5 / float(count() * count()), 1.0 / float(count() * count())); }

vec4 addRay(vec2 position) { return mean(runs, position, 0.0, 1.0 / float(count())); }
