out vec2 left_coord;
out vec2 steps[2];
void main() { isf_vertShaderInit(); left_coord = vec2(0.0); }
