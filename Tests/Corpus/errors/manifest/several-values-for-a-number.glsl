// --set STEPS=1,3,5
#define STEPS 8
void mainImage(out vec4 c, in vec2 p) { c = vec4(STEPS); }
