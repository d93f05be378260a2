#define A0(x) sin(x) + cos(x)
#define A1(x) A0(x) + A0(x) * A0(x)
#define A2(x) A1(x) + A1(x) * A1(x)
#define A3(x) A2(x) + A2(x) * A2(x)
#define A4(x) A3(x) + A3(x) * A3(x)
#define A5(x) A4(x) + A4(x) * A4(x)
#define A6(x) A5(x) + A5(x) * A5(x)
#define A7(x) A6(x) + A6(x) * A6(x)
#define A8(x) A7(x) + A7(x) * A7(x)
#define A9(x) A8(x) + A8(x) * A8(x)
#define B0(x) A9(x) + A9(x) * A9(x)
#define B1(x) B0(x) + B0(x) * B0(x)
#define B2(x) B1(x) + B1(x) * B1(x)
#define B3(x) B2(x) + B2(x) * B2(x)
void mainImage(out vec4 c, in vec2 p) {
  c = vec4(p.x);
  c.r = B3(p.x);
}
