/*{
  "INPUTS": [
    { "NAME": "a", "TYPE": "float", "MIN": 0 "MAX": },
    { "NAME": "b", "TYPE": "flaot" }
  ]
}*/
void main() { gl_FragColor = vec4(a + b); }
