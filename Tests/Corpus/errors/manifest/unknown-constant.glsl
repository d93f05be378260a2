// --set SPED=2 nothing=1
#define SPEED 1.0
const int COUNT = 3;
void mainImage(out vec4 c, in vec2 p) { c = vec4(SPEED * float(COUNT)); }
