/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows a picture as people with weak or missing cones see it.",
  "CREDIT": "G. Machado, M. Oliveira, L. Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE TVCG 15, 2009.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" },
    { "NAME": "kind", "TYPE": "long", "LABEL": "Kind", "VALUES": [0, 1, 2], "LABELS": ["protan", "deutan", "tritan"], "DEFAULT": 1,
      "HELP": "Which cones are weak: the long, the middle or the short ones (red, green, blue)." },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From usual sight, at 0, to missing cones, at 1." }
  ]
}*/

const mat3 protan = mat3(0.152286, 0.114503, -0.003882, 1.052583, 0.786281, -0.048116, -0.204868, 0.099216, 1.051998);
const mat3 deutan = mat3(0.367322, 0.280085, -0.01182, 0.860646, 0.672501, 0.04294, -0.227968, 0.047413, 0.968881);
const mat3 tritan = mat3(1.255528, -0.078411, 0.004733, -0.076749, 0.930809, 0.691367, -0.178779, 0.147602, 0.3039);

vec4 colorKernel(vec4 color) {
  vec3 seen = (kind == 0 ? protan : kind == 1 ? deutan : tritan) * color.rgb;
  return vec4(mix(color.rgb, seen, amount), color.a);
}
