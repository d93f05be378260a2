// 'smoothstep' with falling edges.
// pixel: 4, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = smoothstep(0.6, 0.2, fragCoord.x / 16.0);  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
