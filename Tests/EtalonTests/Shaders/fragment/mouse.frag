#version 300 es
precision highp float;
uniform vec2 u_mouse;
uniform vec2 mouse;
uniform vec2 u_resolution;
out vec4 fragColor;
void main() { fragColor = vec4(u_mouse / u_resolution, mouse); fragColor.b = mouse.x; fragColor.a = 1.0; }
