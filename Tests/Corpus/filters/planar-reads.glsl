vec3 p, q;
vec2 mirrored(vec2 p) { return abs(p); }
vec3 tinted(vec3 color) { return color; }

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = fragCoord / iResolution.xy, p = uv, r;
  for (int i = 0; i < 2; i++) { vec3 r = vec3(uv, float(i)); q += r; }
  r = uv;
  vec3 color = tinted(texture(iChannel0, p).rgb) * texture(iChannel0, mirrored(p)).rgb + texture(iChannel0, r).rgb;
  color += texture(iChannel0, q.xy).rgb + texture(iChannel0, vec3(p, 1.0).xy).rgb + texture(iChannel0, uv * tinted(q).x).rgb;
  fragColor = vec4(color, 1.0);
}
