// Shared by all passes.
const float FADE = 0.95;
vec2 place(vec2 p) { return p / iResolution.xy; }
