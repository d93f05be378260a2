/*{ "PASSES": [ { "TARGET": "small", "WIDTH": "$WIDTH ? 1 : 2", "HEIGHT": [1] }, { "TARGET": "next", "WIDTH": "" }, {} ] }*/
void main() { gl_FragColor = IMG_THIS_PIXEL(small) + IMG_THIS_PIXEL(next); }
