/*{ "ISFVSN": "2", "INPUTS": [] }*/
void main() { gl_FragColor = vec4(DATE.y / 12.0, TIMEDELTA * 8.0, float(FRAMEINDEX) / 4.0, 1.0); }
