#pragma once
#include "hash.glsl"
#include "./hash.glsl"
float noise(vec2 p) { return hash(dot(p, vec2(12.9898, 78.233))); }
