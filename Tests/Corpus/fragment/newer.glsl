#version 300 es
precision highp float;
uniform sampler2D u_tex0;
uniform vec2 u_tex0Resolution;
uniform float iTime;
uniform vec3 iResolution;
in vec2 v_texcoord;
layout(location = 0) out vec4 fragColor;

void main() {
  vec2 uv = v_texcoord * vec2(1.0, u_tex0Resolution.x / u_tex0Resolution.y);
  fragColor = texture(u_tex0, uv + iTime / iResolution.x);
}
