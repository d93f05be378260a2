/*{
  "ETALON": 1,
  "DESCRIPTION": "Changes which red, green and blue the numbers of a picture mean.",
  "CREDIT": "ITU-R BT.709, BT.2020 and BT.601; SMPTE EG 432-1 (P3-D65); Adobe RGB (1998).",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" },
    { "NAME": "from", "TYPE": "long", "LABEL": "From", "VALUES": [0, 1, 2, 3, 4, 5],
      "LABELS": ["rec709", "rec2020", "p3", "adobe-rgb", "rec601-525", "rec601-625"], "DEFAULT": 2, "HELP": "The primaries of the picture." },
    { "NAME": "to", "TYPE": "long", "LABEL": "To", "VALUES": [0, 1, 2, 3, 4, 5],
      "LABELS": ["rec709", "rec2020", "p3", "adobe-rgb", "rec601-525", "rec601-625"], "DEFAULT": 0, "HELP": "The primaries of the result." }
  ]
}*/

// All of them have the white of D65, so that white and grays stay as they are.

mat3 toRec709(int primaries) {
  switch (primaries) {
    case 1: return mat3(1.660491, -0.1245505, -0.0181508, -0.5876411, 1.1328999, -0.1005789, -0.0728499, -0.0083494, 1.1187297);
    case 2: return mat3(1.2249402, -0.042057, -0.0196376, -0.2249402, 1.042057, -0.078636, 0.0, 0.0, 1.0982736);
    case 3: return mat3(1.3983557, 0.0, 0.0, -0.3983557, 1.0, -0.042929, 0.0, 0.0, 1.042929);
    case 4: return mat3(0.9395421, 0.0177722, -0.0016216, 0.0501814, 0.9657929, -0.0043697, 0.0102766, 0.0164349, 1.0059913);
    case 5: return mat3(1.0440432, 0.0, 0.0, -0.0440432, 1.0, 0.0117934, 0.0, 0.0, 0.9882066);
    default: return mat3(1.0);
  }
}

mat3 fromRec709(int primaries) {
  switch (primaries) {
    case 1: return mat3(0.6274039, 0.0690973, 0.0163914, 0.329283, 0.9195404, 0.0880133, 0.0433131, 0.0113623, 0.8955953);
    case 2: return mat3(0.822462, 0.0331942, 0.0170826, 0.177538, 0.9668058, 0.0723974, 0.0, 0.0, 0.9105199);
    case 3: return mat3(0.7151256, 0.0, 0.0, 0.2848744, 1.0, 0.0411619, 0.0, 0.0, 0.9588381);
    case 4: return mat3(1.065379, -0.0196325, 0.0016321, -0.0554009, 1.0363631, 0.0044124, -0.0099782, -0.0167305, 0.9939556);
    case 5: return mat3(0.9578148, 0.0, 0.0, 0.0421852, 1.0, -0.0119341, 0.0, 0.0, 1.0119341);
    default: return mat3(1.0);
  }
}

vec4 colorKernel(vec4 color) {
  if (from == to) return color;
  return vec4(fromRec709(to) * (toRec709(from) * color.rgb), color.a);
}
