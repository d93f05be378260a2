uniform sampler2D u_buffer0; // 0.5
uniform sampler2D u_buffer1; // 64x32
uniform sampler2D u_doubleBuffer0; // last of the three
uniform vec2 u_resolution;
uniform float u_time;
#ifdef MODEL_VERTEX_NORMAL
varying vec3 v_normal;
#endif

void main() {
  vec2 st = gl_FragCoord.xy / u_resolution;
  vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
#if defined(BUFFER_0)
  color.rg = st;
#elif defined( BUFFER_1 )
  color.rgb = texture2D(u_buffer0, st).rgb;
#elif defined(DOUBLE_BUFFER_0)
  color = mix(texture2D(u_doubleBuffer0, st), texture2D(u_buffer1, st), 0.1);
#else
  color = texture2D(u_doubleBuffer0, st) * u_time;
#endif
  gl_FragColor = color;
}
