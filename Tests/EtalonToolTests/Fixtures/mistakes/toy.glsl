uniform samplerBuffer things;

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = fragCoord / iResolution;
  fragColor = vec4(uv, sin(time), 1.0) + texelFetch(things, 0);
}
