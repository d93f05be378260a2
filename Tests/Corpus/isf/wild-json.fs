/*** {
  // a header as people write it
  'ISFVSN': "2",
  "DESCRIPTION": "two
	lines",
  INPUTS: [ { "NAME": "speed", "TYPE": "float", "MIN": 0., "MAX": +1, "DEFAULT": .5, }, ],
}, see the manual */
void main() { gl_FragColor = vec4(speed); }
