/*{
  "INPUTS": [ { "NAME": "2nd", "TYPE": "float" }, { "NAME": "wave", "TYPE": "audio" } ],
  "PASSES": [ { "TARGET": "a b" }, {} ]
}*/
varying vec2 place;
void mian() { gl_FragColor = vec4(place, 0.0, 1.0); }
/* no end
