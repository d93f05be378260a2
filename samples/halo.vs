varying vec2 before[6];
varying vec2 after[6];

void main() {
  isf_vertShaderInit();
  vec2 direction = (PASSINDEX == 0 ? vec2(1.0, 0.0) : vec2(0.0, 1.0)) / RENDERSIZE;
  for (int i = 0; i < 6; i++) {
    before[i] = isf_FragNormCoord - float(i + 1) * direction;
    after[i] = isf_FragNormCoord + float(i + 1) * direction;
  }
}
