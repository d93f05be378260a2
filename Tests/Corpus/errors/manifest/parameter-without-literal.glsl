uniform float speed = 2.0 * 3.0;
void mainImage(out vec4 c, in vec2 p) { c = vec4(speed); }
