// --set SPEED=4 TINT=#ff8000 STEPS=12 OFFSET=-1
#define SPEED 2.0
#define STEPS 64
#define BRIGHT vec3(1, 0.5, -0.25)
#define NOT_A_LITERAL (2.0 * SPEED)
#define HAS_ARGUMENTS(x) 1.0
const vec3 TINT = vec3(0.2, 0.4, 0.6);
const float OFFSET = 3, HALF = .5;
const bool ENABLED = true;

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float v = OFFSET + HALF;
  for (int i = 0; i < STEPS; i++) v += sin(iTime * SPEED + float(i));
  fragColor = vec4(ENABLED ? TINT * v : BRIGHT * NOT_A_LITERAL, HAS_ARGUMENTS(v));
}
