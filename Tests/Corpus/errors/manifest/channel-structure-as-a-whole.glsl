void mainImage(out vec4 c, in vec2 p) { c = read(iCh0, p); }
