float distance(vec3 a, vec3 b) { return abs(a.x - b.x); }
int min(int a, int b) { return a < b ? a : b; }
mat3 inverse(mat3 m) { return transpose(m); }
vec4 texture(sampler2D image, vec2 p, vec2 offset) { return texture(image, p + offset); }

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = fragCoord / iResolution.xy;
  float d = distance(vec3(uv, 0.0), vec3(0.5)) + distance(uv, vec2(0.5)) + min(uv.x, 0.5) + float(min(1, 2));
  fragColor = vec4(inverse(mat3(1.0)) * vec3(d), inverse(mat2(2.0))[0].x) + texture(iChannel0, uv, uv) + texture(iChannel0, uv);
}
