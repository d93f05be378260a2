// Author: a
// License: MIT
uniform vec2 progress;
uniform float ratio[2];
vec4 transition(vec2 uv) { return getFromColor(uv); }
