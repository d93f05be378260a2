out float shade;
out mat2 turn;
flat out int corner;
out vec3 row[2];
void main() {
  isf_vertShaderInit();
  shade = isf_FragNormCoord.x;
  turn = mat2(shade);
  corner = 1;
  row[1] = vec3(shade);
  gl_Position.xy *= 0.5;
}
