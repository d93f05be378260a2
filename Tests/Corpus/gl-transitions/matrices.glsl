// Author: Etalon
uniform mat3 turn; // = mat3(1.0)
uniform mat3 swap; // = 0,1,0, 1,0,0, 0,0,1
uniform vec3 tint; // = 1, 0.5, 0
vec4 transition(vec2 uv) {
  vec2 moved = (swap * turn * vec3(uv, 1.0)).xy;
  return mix(getFromColor(moved) * vec4(tint, 1.0), getToColor(moved), progress);
}
