// A sine that the compiler works out.
// pixel: 9, 3
const float wave = sin(1.0);
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  fragColor = vec4(wave, 0.5, 0.25, 1.0);
}
