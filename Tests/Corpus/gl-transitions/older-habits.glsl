/*
 * author : somebody
 * license: CC0
 */
uniform float smooth;// = 0.1
#define half 0.5
const mat2 flip = mat2(1.0, 0.0, 0.0, -1.0);

float min(float a, float b, float c) { return min(a, min(b, c)); }

vec4 transition(const in vec2 uv) {
  if (uv.x < min(progress, half, 0.25)) discard;
  float edge = fwidth(uv.x) + smooth;
  return gl_FragCoord.x < 8.0 ? getToColor(flip * uv) : mix(getFromColor(uv), getToColor(uv), smoothstep(0.0, edge, progress));
}
