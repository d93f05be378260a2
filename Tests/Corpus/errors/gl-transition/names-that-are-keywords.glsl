// Author: Etalon
uniform float if; // = 0.5
uniform vec2 sampler2DShadow; // = vec2(1.0)

vec4 transition(vec2 uv) {
  return mix(getFromColor(uv), getToColor(uv), progress);
}
