#define SAMPLER_TYPE sampler2D
#define PICTURE u_tex0
#define QUALITY 2
#if defined(PICTURE) && QUALITY > 1
uniform SAMPLER_TYPE PICTURE;
#endif
#if defined(ROUGHNESS_MAP) || (QUALITY < 2 && !defined(PICTURE))
uniform MAP_TYPE ROUGHNESS_MAP;
#define ROUGH texture2D(ROUGHNESS_MAP, vec2(0.0))
#endif
uniform vec2 u_resolution;

void nearest(vec2 p, out float distance) {
  if (p.x > 0.5) distance = min(distance, p.x);
}

void plain(out float value) { value = 1.0; }

void main() {
  float distance = 2.0;
  float value;
  plain(value);
  nearest(gl_FragCoord.xy / u_resolution, distance);
  gl_FragColor = texture2D(PICTURE, vec2(distance, value));
#ifdef ROUGHNESS_MAP
  gl_FragColor *= ROUGH;
#endif
}
