// Author: a
// License: MIT
vec4 transiton(vec2 uv) { return getFromColor(uv); }
