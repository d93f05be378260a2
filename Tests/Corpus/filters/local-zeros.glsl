#define LOOP(n) for (int j; j++ < n; )
#define SKY = vec3(0.1)
struct Ray { vec3 from; float far; };
void mainImage(out vec4 c, in vec2 p) {
  float top, sum = 0.0;
  for (float i, g = 2.0, e; ++i < 9.0; sum += g) {
    vec2 near[2], q;
    vec3 day SKY;
    bool isNear; mat2 turn; uvec3 seed;
    for (int k; k++ < 4;) q += vec2(k, e);
    LOOP(3) { float s = 1.0, t; sum += s + t + float(isNear); }
    near[0] = q * turn; sum += near[0].x + day.x + float(seed.x);
  }
  c = vec4(sum + top);
}
