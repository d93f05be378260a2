vec2 mainSound(in int samp, float time) { return vec2(sin(440.0 * time)); }
