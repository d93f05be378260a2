void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = fragCoord / iResolution.xy;
  float ring = length(uv - 0.5);
  fragColor = vec4(dFdx(uv.x), dFdyFine(uv).y, fwidth(ring), 1.0);
}
