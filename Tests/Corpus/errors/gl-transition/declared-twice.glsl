// Author: a
// License: MIT
uniform float size; // = 1.0
uniform vec2 size; // = vec2(1.0)
uniform sampler2D startImage;
vec4 transition(vec2 uv) { return mix(getFromColor(uv), getToColor(uv), progress); }
