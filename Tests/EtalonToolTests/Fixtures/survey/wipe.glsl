// Author: Etalon
// License: MIT
uniform float softness; // = 0.1
vec4 transition(vec2 uv) {
  return mix(getToColor(uv), getFromColor(uv), smoothstep(progress - softness, progress + softness, uv.x));
}
