#if __VERSION__ <= 120
varying vec2 left, offsets[2];
#else
out vec2 left, offsets[2];
#endif
#define STEP (1.0 / RENDERSIZE)
const float strength = 2.0;
struct Shift { vec2 by; } shift;
vec2 clamped(vec2 p) { return clamp(p, 0.0, 1.0); }
void main() {
  isf_vertShaderInit();
  shift = Shift(STEP * strength * radius);
  left = clamped(vv_FragNormCoord - shift.by);
  offsets[0] = left;
  offsets[1] = isf_FragNormCoord + shift.by;
}
