#iChannel0 "self"
#iChannel0::MinFilter "Nearest"

void mainImage(out vec4 color, in vec2 position) {
  color = vec4(texture(iChannel0, position / iResolution.xy).r + 2.0 / 255.0, 0.0, 0.0, 0.0);
}
