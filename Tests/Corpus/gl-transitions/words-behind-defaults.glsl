// Author: Ada Löwenzahn
// License: MIT
uniform float size; // = 0.2 of the width
uniform vec2 way; // = vec2(1.0, 0.0) to the right
uniform int count; // = 4 (of them)
uniform float depth /* = 0.5, the darkest */;
uniform vec3 tint; // = #ff8000 as on the web
vec4 transition(vec2 uv) {
  float place = dot(uv, way) * size * float(count);
  return mix(getFromColor(uv), getToColor(uv) + vec4(tint * depth, 0.0), step(place, progress));
}
