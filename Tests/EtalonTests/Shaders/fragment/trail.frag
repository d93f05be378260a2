precision highp float;
uniform vec2 resolution;
uniform sampler2D backbuffer;
uniform float time;
void main() {
  vec2 uv = gl_FragCoord.xy / resolution;
  gl_FragColor = texture2D(backbuffer, uv) + vec4(64.0 / 255.0, uv.y > 0.5 ? 32.0 / 255.0 : 0.0, 0.0, 0.0);
}
