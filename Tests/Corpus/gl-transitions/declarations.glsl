// Author: Ada Löwenzahn
// License: MIT
#ifdef GL_ES
precision mediump float;
#endif
uniform float strength; // = 0.25 ; the larger, the wilder
uniform vec2 center/* = vec2(0.5) */;
uniform vec2 low /*= vec2(1., 2.)*/, high /* = vec2(3) */;
uniform ivec2 rows, columns; // = ivec2(4, 2);
uniform bool reversed; //=1
uniform float turns; // = 2
uniform vec4 tint = vec4(1.0, 0.5, 0.0, 1.0);
uniform mat2 turn; // = mat2(1.0, 0.0, 0.0, 1.0)
uniform sampler2D luma;
uniform float sample; // = .5
uniform vec3 background;

vec4 transition(vec2 uv) {
  vec2 grid = vec2(rows * columns) + low + high;
  float mask = texture2D(luma, turn * (uv - center) * ratio + center).r * strength * turns;
  vec4 mixed = mix(getFromColor(uv), getToColor(uv), step(mask, progress * sample));
  return reversed ? mixed * tint : vec4(background + fract(uv.xyx * grid.xyx), mixed.a);
}
