/*{ "ISFVSN": "2" }*/
void paint(in float level, out vec4 fragColor) { fragColor = vec4(level); }
void main() {
  paint(isf_FragNormCoord.y, gl_FragColor);
}
