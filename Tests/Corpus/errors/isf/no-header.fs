// a plain fragment shader
void main() { gl_FragColor = vec4(1.0); }
