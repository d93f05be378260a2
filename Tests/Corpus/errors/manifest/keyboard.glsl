#iKeyboard
void mainImage(out vec4 c, in vec2 p) { c = vec4(isKeyDown(65)); }
