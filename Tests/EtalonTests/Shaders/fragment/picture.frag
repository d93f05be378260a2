uniform sampler2D u_tex0;
uniform vec2 u_tex0Resolution;
varying vec2 v_texcoord;
void main() { gl_FragColor = vec4(texture2D(u_tex0, v_texcoord).rg, u_tex0Resolution / 255.0); }
