/*{
  "ETALON": 1,
  "DESCRIPTION": "Takes the colors of a picture away from another one.",
  "CATEGORIES": ["composite"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture", "ADDRESS": "transparent" },
    { "NAME": "backgroundImage", "TYPE": "image", "LABEL": "Background" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 16, "DEFAULT": 1,
      "HELP": "How much of the picture is taken away; at 0 the background shows." },
    { "NAME": "offset", "TYPE": "float", "LABEL": "Offset", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "What is added to every color; 0.5 shows differences to both sides." }
  ]
}*/

vec4 colorKernel(vec4 color, vec4 background) {
  // The background stays as transparent as it is, and so does what is added.
  vec3 rest = background.rgb - amount * color.rgb * background.a + offset * background.a;
  return vec4(max(rest, 0.0), background.a);
}
