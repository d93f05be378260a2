uniform sampler2D u_buffer0; // 0.5
uniform sampler2D u_doubleBuffer0;
uniform vec2 u_resolution;
void main() {
#if defined(BUFFER_0)
  gl_FragColor = vec4(u_resolution / 64.0, gl_FragCoord.xy / 64.0);
#elif defined(DOUBLE_BUFFER_0)
  gl_FragColor = texture2D(u_doubleBuffer0, vec2(0.5)) + 0.25;
#else
  gl_FragColor = vec4(texture2D(u_buffer0, vec2(0.5)).x, texture2D(u_doubleBuffer0, vec2(0.5)).x, 0.0, 1.0);
#endif
}
