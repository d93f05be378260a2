// --set TINT=1,0
const vec3 TINT = vec3(1.0);
void mainImage(out vec4 c, in vec2 p) { c = vec4(TINT, 1.0); }
