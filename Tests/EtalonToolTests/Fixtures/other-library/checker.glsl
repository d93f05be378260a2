void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  fragColor = vec4(vec3(mod(floor(fragCoord.x / 8.0) + floor(fragCoord.y / 8.0), 2.0)), 1.0);
}
