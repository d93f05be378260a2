uniform float return; // = 0.5
uniform vec2 mat2x3, gl_Shift;
uniform float half; // = 1.0

void mainImage(out vec4 color, in vec2 place) {
  color = vec4(half);
}
