/*{
  "ETALON": 1,
  "DESCRIPTION": "Waves through a picture, like a flag or heat.",
  "CATEGORIES": ["distortion"], "ALIASES": ["wave"],
  "REACH": "amplitude + 1.0",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "mirror" },
    { "NAME": "amplitude", "TYPE": "float", "LABEL": "Amplitude", "MIN": 0, "MAX": 500, "DEFAULT": 10, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far pixels move, at most." },
    { "NAME": "wavelength", "TYPE": "float", "LABEL": "Wavelength", "MIN": 2, "MAX": 4096, "DEFAULT": 80, "UNIT": "px",
      "HELP": "How long a wave is." },
    { "NAME": "direction", "TYPE": "angle", "LABEL": "Direction", "MIN": -360, "MAX": 360, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "Where the waves run to, counterclockwise from the right." },
    { "NAME": "sway", "TYPE": "angle", "LABEL": "Sway", "MIN": -360, "MAX": 360, "DEFAULT": 90, "UNIT": "deg",
      "HELP": "Where pixels move, counterclockwise from the direction: at 90 across it, as a snake does, at 0 along it, as sound does." },
    { "NAME": "phase", "TYPE": "angle", "LABEL": "Phase", "MIN": -36000, "MAX": 36000, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "How far the waves have run; 360 is one wave." },
    { "NAME": "form", "TYPE": "long", "LABEL": "Form", "VALUES": [0, 1, 2], "LABELS": ["sine", "triangle", "square"], "DEFAULT": 0 }
  ]
}*/

vec2 warpKernel(vec2 position) {
  vec2 along = vec2(cos(radians(direction)), sin(radians(direction)));
  vec2 moved = vec2(cos(radians(direction + sway)), sin(radians(direction + sway)));
  // Counted from the middle of the picture, which stays where it is at the phase 0.
  float place = fract(dot(position - 0.5 * RENDERSIZE, along) / wavelength - phase / 360.0);
  float wave = form == 0 ? sin(6.28318530718 * place) : form == 1 ? 1.0 - 4.0 * abs(fract(place + 0.25) - 0.5) : place < 0.5 ? 1.0 : -1.0;
  return position + moved * (amplitude * -wave);
}
