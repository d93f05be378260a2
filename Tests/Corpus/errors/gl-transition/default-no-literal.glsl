// Author: a
// License: MIT
uniform float size; // = sin(1.0)
uniform vec2 center; // = vec3(1.0)
uniform int count; // = 1.5
vec4 transition(vec2 uv) { return mix(getFromColor(uv * size + center), getToColor(uv), progress * float(count)); }
