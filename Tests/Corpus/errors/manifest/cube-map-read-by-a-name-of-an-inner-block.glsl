#define TWICE(v) (v + v)
void mainImage(out vec4 c, in vec2 p) {
  float r = 1.0, v = 2.0;
  { vec2 r = p; c = texture(iChannel0, TWICE(r)); }
  if (p.x > r) {
    vec3 r = vec3(p, v), v = r;
    c += texture(iChannel1, r.zxy) + texture(iChannel2, v);
  }
}
