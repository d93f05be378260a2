// a comment
vec4 imageKernel(vec2 position) { return vec4(1.0); }
