/*{
  "ISFVSN": "2",
  "INPUTS": [
    { "NAME": "mat3x2", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0.0, "MAX": 1.0 }
  ]
}*/
uniform float while;

void main() {
  gl_FragColor = vec4(mat3x2);
}
