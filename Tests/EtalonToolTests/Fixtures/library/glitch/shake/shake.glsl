uniform float amount = 0.02;

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = fragCoord / iResolution.xy;
  fragColor = texture(iChannel0, uv + amount * vec2(sin(31.0 * iTime), cos(17.0 * iTime)));
}
