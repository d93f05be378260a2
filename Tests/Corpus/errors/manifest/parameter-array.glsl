uniform float weights[3];
void mainImage(out vec4 c, in vec2 p) { c = vec4(weights[0]); }
