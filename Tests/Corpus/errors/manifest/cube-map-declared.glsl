uniform samplerCube iChannel0;
void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, vec3(p, 1.0)); }
