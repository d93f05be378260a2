void mainimage(out vec4 color, in vec2 position) { color = vec4(1.0); }
