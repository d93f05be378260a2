#ifdef GL_ES
precision mediump float;
#endif

uniform vec2 u_resolution;
uniform vec2 u_mouse;
uniform float u_time;
uniform float u_delta;
uniform int u_frame;
uniform vec4 u_date;

#define RINGS 5.0

void main() {
  vec2 st = gl_FragCoord.xy / u_resolution.xy;
  float ring = fract(length(st - u_mouse / u_resolution) * RINGS - u_time);
  gl_FragColor = vec4(vec3(ring), 1.0) + vec4(u_delta, float(u_frame), u_date.y, 0.0);
}
