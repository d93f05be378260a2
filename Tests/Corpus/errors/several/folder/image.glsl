#define SPEED 2.0
void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p) + undefinedName; }
