/*{ "IMPORTED": { "sky": { "TYPE": "cube", "PATH": ["a.png", "b.png"] }, "room": { "TYPE": "cube", "PATH": ["../a.png", "b.png", "c.png", "d.png", "e.png", "f.png"] } } }*/
void main() { gl_FragColor = textureCube(sky, vec3(1.0)); }
