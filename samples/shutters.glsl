// Author: Etalon
// License: Apache-2.0
// Slats turn over, one after the other, and show the second picture.

uniform int slats; // = 12
uniform float overlap; // = 0.6
uniform vec3 shadow; // = vec3(0.03, 0.03, 0.05)
uniform bool upright; // = true

vec4 transition(vec2 uv) {
  float place = upright ? uv.x : uv.y;
  float slat = floor(place * float(slats));
  float within = fract(place * float(slats)) - 0.5;
  // Each slat begins a little later than the one before.
  float start = overlap * slat / float(max(slats - 1, 1));
  float angle = 3.14159265 * clamp((progress - start) / (1.0 - overlap), 0.0, 1.0);
  float width = abs(cos(angle));
  if (abs(within) > 0.5 * width) return vec4(shadow, 1.0);
  float read = (slat + 0.5 + within / max(width, 0.0001)) / float(slats);
  vec2 turned = upright ? vec2(read, uv.y) : vec2(uv.x, read);
  vec4 color = angle < 1.5707963 ? getFromColor(turned) : getToColor(turned);
  return vec4(color.rgb * mix(0.35, 1.0, width), color.a);
}
