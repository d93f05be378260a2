/*{
  "ETALON": 1,
  "DESCRIPTION": "Combines two pictures by where they cover each other: in, out, atop, xor and the other operators of Porter and Duff.",
  "CREDIT": "T. Porter and T. Duff, Compositing Digital Images, SIGGRAPH 1984; W3C Compositing and Blending Level 1, section 9.",
  "CATEGORIES": ["composite"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Source", "ADDRESS": "transparent" },
    { "NAME": "backgroundImage", "TYPE": "image", "LABEL": "Destination", "ADDRESS": "transparent" },
    { "NAME": "operator", "TYPE": "long", "LABEL": "Operator", "VALUES": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      "LABELS": ["source-over", "destination-over", "source-in", "destination-in", "source-out", "destination-out", "source-atop",
        "destination-atop", "xor", "plus-lighter", "source", "destination", "clear"],
      "DEFAULT": 6, "HELP": "What is kept of each picture: 'in' what lies where the other one is, 'out' the rest, 'atop' in, over the other." }
  ]
}*/

vec4 colorKernel(vec4 source, vec4 destination) {
  float s = source.a;
  float d = destination.a;
  // How much of the source counts, and how much of the destination.
  vec2 share;
  switch (operator) {
    case 0: share = vec2(1.0, 1.0 - s); break;
    case 1: share = vec2(1.0 - d, 1.0); break;
    case 2: share = vec2(d, 0.0); break;
    case 3: share = vec2(0.0, s); break;
    case 4: share = vec2(1.0 - d, 0.0); break;
    case 5: share = vec2(0.0, 1.0 - s); break;
    case 6: share = vec2(d, 1.0 - s); break;
    case 7: share = vec2(1.0 - d, s); break;
    case 8: share = vec2(1.0 - d, 1.0 - s); break;
    case 9: return min(source + destination, 1.0);
    case 10: share = vec2(1.0, 0.0); break;
    case 11: share = vec2(0.0, 1.0); break;
    default: share = vec2(0.0);
  }
  return source * share.x + destination * share.y;
}
