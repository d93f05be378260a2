void mainImage(out vec4 fragColor, in vec2 fragCoord) { fragColor = vec4(0.25, 0.5, 0.75, 1.0); }
