// Author: a
// License: MIT
vec4 transition(vec2 uv) { return mix(getFromColor(uv), getToColor(uv), progress); }
void mainImage(out vec4 color, in vec2 position) { color = transition(position / iResolution.xy); }
