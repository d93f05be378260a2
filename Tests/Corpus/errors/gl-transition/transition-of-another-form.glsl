// Author: a
// License: MIT
void transition(out vec4 color, vec2 uv) { color = getFromColor(uv); }
