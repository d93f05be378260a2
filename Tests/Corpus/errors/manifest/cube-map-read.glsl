void mainImage(out vec4 c, in vec2 p) {
  vec3 ray = normalize(vec3(p, 1.0));
  c = texture(iChannel0, 0.5 * ray + 0.5);
}
