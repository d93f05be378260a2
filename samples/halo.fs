/*{
  "ISFVSN": "2",
  "DESCRIPTION": "Lets the bright parts of a picture glow.",
  "CREDIT": "Etalon",
  "CATEGORIES": ["Glow"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "threshold", "LABEL": "Threshold", "TYPE": "float", "MIN": 0.0, "MAX": 1.0, "DEFAULT": 0.6 },
    { "NAME": "strength", "LABEL": "Strength", "TYPE": "float", "MIN": 0.0, "MAX": 3.0, "DEFAULT": 1.0, "IDENTITY": 0.0 },
    { "NAME": "tint", "LABEL": "Tint", "TYPE": "color", "DEFAULT": [1.0, 0.85, 0.6, 1.0] },
    { "NAME": "view", "LABEL": "View", "TYPE": "long", "VALUES": [0, 1], "LABELS": ["result", "glow alone"], "DEFAULT": 0 }
  ],
  "PASSES": [
    { "TARGET": "bright", "WIDTH": "floor($WIDTH/4.0)", "HEIGHT": "floor($HEIGHT/4.0)", "DESCRIPTION": "what glows, along rows" },
    { "TARGET": "glow", "WIDTH": "floor($WIDTH/4.0)", "HEIGHT": "floor($HEIGHT/4.0)", "DESCRIPTION": "and along columns" },
    {}
  ]
}*/

// The vertex half (halo.vs) computes where the neighbors are.
varying vec2 before[6];
varying vec2 after[6];

vec4 highlights(vec2 place) {
  vec4 color = IMG_NORM_PIXEL(inputImage, place);
  float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  return color * smoothstep(threshold, threshold + 0.25, luma);
}

vec4 read(vec2 place) {
  if (PASSINDEX == 0) { return highlights(place); } else { return IMG_NORM_PIXEL(bright, place); }
}

void main() {
  if (PASSINDEX == 2) {
    vec4 color = IMG_THIS_PIXEL(inputImage);
    vec3 light = strength * tint.rgb * IMG_THIS_NORM_PIXEL(glow).rgb;
    gl_FragColor = view == 1 ? vec4(light, 1.0) : vec4(color.rgb + light, color.a);
  } else {
    vec4 sum = read(isf_FragNormCoord);
    float weights = 1.0;
    for (int i = 0; i < 6; i++) {
      float weight = exp(-0.08 * float((i + 1) * (i + 1)));
      sum += weight * (read(before[i]) + read(after[i]));
      weights += 2.0 * weight;
    }
    gl_FragColor = sum / weights;
  }
}
