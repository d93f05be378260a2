/*{ "IMPORTED": { "a": { "PATH": "../secret.png" }, "b": { "PATH": "/etc/passwd" }, "c": { "FILE": "c.png" } } }*/
void main() { gl_FragColor = IMG_THIS_PIXEL(a) + IMG_THIS_PIXEL(b); }
