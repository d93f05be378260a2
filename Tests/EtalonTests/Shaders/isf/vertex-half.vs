varying vec2 bent;
void main() {
  isf_vertShaderInit();
  bent = max(isf_FragNormCoord - 0.5, 0.0);
}
