/*{
  "IMPORTED": [
    { "NAME": "sky", "TYPE": "cube", "PATH": ["right.png", "left.png", "top.png", "bottom.png", "front.png", "back.png"] },
    { "NAME": "room", "TYPE": "cube", "PATH": "room.png" }
  ]
}*/
void main() {
  vec3 ray = vec3(isf_FragNormCoord - 0.5, 1.0);
  gl_FragColor = textureCube(sky, ray) + textureCube(room, ray);
}
