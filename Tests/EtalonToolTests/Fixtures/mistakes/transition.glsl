uniform flaot smoothness; // = 0.5
uniform sampler2D luma;

vec4 transition(vec2 uv) {
  float edge = smoothstep(progres, progres + smoothness, uv.x);
  return mix(getFromColor(uv), getToColour(uv), edge);
}
