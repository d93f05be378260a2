// Author: me
uniform float speed; // = fast
uniform sampler3D vol;
uniform vec2 dir; // = vec2(1.0, 2.0, 3.0)
uniform int progress;
vec4 transition(vec2 uv) { return getFromColor(uv) + undefinedName; }
vec4 transition(vec3 uv) { return getToColour(uv); }
