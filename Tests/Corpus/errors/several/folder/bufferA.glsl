uniform float arr[3];
void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0) }
