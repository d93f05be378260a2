#extension GL_OES_standard_derivatives : enable
precision highp float;
uniform float time;
uniform vec2 mouse;
uniform vec2 resolution;
uniform vec2 surfaceSize;
uniform sampler2D backbuffer;
varying vec2 surfacePosition;

void main(void) {
  vec4 before = texture2D(backbuffer, gl_FragCoord.xy / resolution);
  float near = step(length(surfacePosition - (mouse - 0.5) * surfaceSize), 0.1);
  gl_FragColor = mix(before * 0.9, vec4(near, fwidth(surfacePosition.x), time, 1.0), near);
}
