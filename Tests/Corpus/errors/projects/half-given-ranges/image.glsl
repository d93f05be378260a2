#define SPEED 2.0
#define SIZE 2.0
const vec3 TINT = vec3(1.0, 0.5, 0.0);
void mainImage(out vec4 color, in vec2 position) { color = vec4(TINT, SIZE) * fract(iTime * SPEED); }
