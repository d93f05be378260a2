out vec2 place;
void main() {
  isf_vertShaderInit();
  place = isf_FragNormCoord;
  gl_Position.xy = gl_Position.xy * 0.5 + 0.5;
}
