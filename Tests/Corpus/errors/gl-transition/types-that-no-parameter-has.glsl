// Author: a
// License: MIT
uniform samplerCube sky;
uniform float weights[4]; // = 1.0
uniform struct Light { vec3 color; } light;
uniform Block { float size; };
vec4 transition(vec2 uv) { return getFromColor(uv); }
