#define SPEED 2.0

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float wave = sin(length(fragCoord - 0.5 * iResolution.xy) * 0.1 - SPEED * iTime);
  fragColor = vec4(vec3(0.5 + 0.5 * wave), 1.0);
}
