varying vec3 v_normal;
varying vec2 v_texcoord;
void main() { gl_FragColor = vec4(v_normal, v_texcoord.x); }
