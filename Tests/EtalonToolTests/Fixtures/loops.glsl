struct Hit { float t; vec3 normal; };
float total = 0.0;

float wave(float x, out float slope) {
  slope = cos(x);
  return sin(x);
}

Hit find(vec2 p) {
  Hit hit;
  hit.t = length(p);
  hit.normal = vec3(p, 1.0);
  return hit;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = fragCoord / iResolution.xy;
  float weights[4];
  for (int k = 0; k < 4; k++) weights[k] = float(k) * 0.5;
  for (int i = 0; i < 48; i++) {
    float s;
    total += wave(uv.x * float(i), s);
    if (i % 2 == 1) uv.y += s * 0.01;
  }
  Hit hit = find(uv);
  bool near = hit.t < 0.5;
  mat2 turn = mat2(1.0, 2.0, 3.0, 4.0);
  int count = near ? 3 : 4;
  fragColor.rgb = hit.normal * weights[count % 4];
  fragColor.a = 1.0;
}
