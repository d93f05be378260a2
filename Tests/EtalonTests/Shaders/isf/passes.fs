/*{
  "ISFVSN": "2",
  "INPUTS": [ { "NAME": "columns", "TYPE": "long", "MIN": 1, "MAX": 64, "DEFAULT": 2 } ],
  "PASSES": [
    { "TARGET": "count", "PERSISTENT": true, "FLOAT": true, "WIDTH": "1", "HEIGHT": "1" },
    { "TARGET": "steps", "WIDTH": "$columns", "HEIGHT": "floor($HEIGHT / 64.0)" },
    { "TARGET": "shown", "PERSISTENT": true }
  ]
}*/
void main() {
  if (PASSINDEX == 0) {
    gl_FragColor = IMG_PIXEL(count, vec2(0.5)) + 0.2;
  } else if (PASSINDEX == 1) {
    gl_FragColor = vec4(floor(gl_FragCoord.x), RENDERSIZE.x / 4.0, RENDERSIZE.y, 1.0);
  } else {
    vec4 old = IMG_THIS_PIXEL(shown);
    gl_FragColor = vec4(IMG_THIS_PIXEL(count).r, IMG_PIXEL(steps, vec2(1.5, 0.5)).rg, 1.0);
    gl_FragColor.b = old.r;
  }
}
