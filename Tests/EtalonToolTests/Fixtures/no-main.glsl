float noise(vec2 p) { return fract(p.x); }
