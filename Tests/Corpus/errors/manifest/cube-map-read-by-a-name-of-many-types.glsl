vec4 sky(vec3 n, vec3 r) { return textureLod(iChannel1, reflect(n, r) * 2.0, 0.0); }
void mainImage(out vec4 c, in vec2 p) {
  float r = 1.0, n;
  c = sky(vec3(p, n), vec3(r));
}
