void mainImage(out vec4 color, in vec2 position) {
  vec2 place = position / iResolution.xy;
  color = vec4(place, log(place.x - 0.25), 1.0);
}
