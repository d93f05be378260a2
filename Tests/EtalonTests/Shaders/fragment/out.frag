void nearest(float candidate, out float found) {
  found = min(found, candidate);
}

void maybe(bool isWanted, out vec2 found) {
  if (isWanted) found = vec2(1.0);
}

void main() {
  float distance = 0.5;
  nearest(0.75, distance);
  vec2 kept = vec2(0.25);
  maybe(gl_FragCoord.x > 32.0, kept);
  gl_FragColor = vec4(distance, kept, 1.0);
}
