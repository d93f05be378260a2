uniform vec2 u_resolution;
uniform float u_speed; // = 0.5, min=0.0, max=2.0
uniform vec3 u_tint; // = vec3(1.0, 0.5, 0.0) the color of the bars
uniform float u_width;
uniform int time;
uniform float unused;

struct Bar { float length; };

void main() {
  Bar bar;
  bar.length = u_width + u_speed;
  gl_FragData[0] = vec4(u_tint * step(gl_FragCoord.x / u_resolution.x, bar.length), float(time));
}
