void main() {
  isf_vertShaderInit();
  gl_Position *= gl_Position.x > 0.0 ? 3.0 : 1.0;
}
