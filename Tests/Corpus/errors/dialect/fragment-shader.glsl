uniform float u_time;
void main() { gl_FragColor = vec4(u_time); }
