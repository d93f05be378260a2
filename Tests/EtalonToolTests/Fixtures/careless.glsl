float shade(float x) {
  float result;
  if (x > 0.5) result = 1.0;
  return result;
}
#define INVERSE(x) (0.1 / (x))
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = fragCoord / iResolution.xy;
  float bend = pow(uv.x - 0.5, 2.0);
  float edge = smoothstep(0.6, 0.4, uv.y); // etalon: allow smoothstep-edges
  float zero = uv.x - uv.x, ray = INVERSE(zero);
  fragColor = vec4(bend, shade(uv.x), edge * min(ray, 1.0), 1.0);
}
