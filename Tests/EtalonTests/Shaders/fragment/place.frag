#ifdef GL_ES
precision mediump float;
#endif
uniform vec2 u_resolution;
varying vec2 v_texcoord;
void main() {
  vec2 st = gl_FragCoord.xy / u_resolution;
  gl_FragColor = vec4(st, abs(v_texcoord - st).x + 0.25, 0.0);
}
