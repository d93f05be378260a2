#version 300 es
precision highp float;
layout(location = 0) out highp vec4 colors[2];

void main() {
  colors[0] = vec4(0.0, 1.0, 0.0, 1.0);
  colors[1] = vec4(1.0);
}
