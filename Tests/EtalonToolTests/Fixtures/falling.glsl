void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = fragCoord / iResolution.xy;
  fragColor = vec4(smoothstep(0.6, 0.4, uv.y), smoothstep(0.9, 0.1, uv.x), 0.0, 1.0);
}
