/*{
  "ETALON": 1,
  "DESCRIPTION": "Dark lines across a picture, as on an old monitor.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 0.4, "IDENTITY": 0, "HELP": "How dark the lines are." },
    { "NAME": "period", "TYPE": "float", "LABEL": "Period", "MIN": 1, "MAX": 512, "DEFAULT": 4, "UNIT": "px", "HELP": "How far lines are apart." },
    { "NAME": "share", "TYPE": "float", "LABEL": "Share", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "HELP": "How much of that is dark." },
    { "NAME": "speed", "TYPE": "float", "LABEL": "Speed", "MIN": -1000, "MAX": 1000, "DEFAULT": 0, "UNIT": "px", "HELP": "How far lines move up in a second." }
  ]
}*/

/// How much darkness lies between 0 and a place that counts periods.
float area(float place) { return floor(place) * share + min(place - floor(place), share); }

vec4 colorKernel(vec4 color) {
  float place = (POSITION.y - speed * TIME) / period;
  float reach = 0.5 / period;
  float dark = clamp((area(place + reach) - area(place - reach)) * period, 0.0, 1.0);
  return vec4(color.rgb * (1.0 - amount * dark), color.a);
}
