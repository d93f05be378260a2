float weights[3];
float length(vec2 p) { return abs(p.x) + abs(p.y); }

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  fragColor = vec4(length(fragCoord) / 100.0, float(weights.length()) / 3.0, length(vec3(0.5)), 1.0);
}
