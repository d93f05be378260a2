// The cosine of a number whose last bit is more than a turn.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float t = fragCoord.x * 1e4;
  float a = 0.5 + 0.5 * cos(t * t * t);  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
