/*{
  "ISFVSN": "2",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "quality", "TYPE": "float", "MIN": 0.1, "MAX": 1.0, "DEFAULT": 0.5 },
    { "NAME": "rows", "TYPE": "long", "MIN": 1, "MAX": 64, "DEFAULT": 8 }
  ],
  "PASSES": [
    { "TARGET": "half", "WIDTH": "floor($WIDTH/2.0)", "HEIGHT": "floor($HEIGHT/2.0)", "DESCRIPTION": "reads the input" },
    { "TARGET": "quarter", "WIDTH": "max(floor($WIDTH*0.25),1.0)", "HEIGHT": "max(floor($HEIGHT*0.25),1.0)" },
    { "TARGET": "fine", "WIDTH": "max(8.0, floor($WIDTH * $quality))", "HEIGHT": "$rows" },
    { "TARGET": "table", "WIDTH": "1.0", "HEIGHT": 16 },
    { "TARGET": "whole", "WIDTH": "$WIDTH", "HEIGHT": "$HEIGHT" },
    { "TARGET": "trail", "PERSISTENT": true, "FLOAT": true }
  ]
}*/
vec4 shown() {
  if (PASSINDEX == 0) return IMG_THIS_PIXEL(inputImage);
  if (PASSINDEX >= 1 && PASSINDEX != 3) {
    if (PASSINDEX == 1) return IMG_THIS_PIXEL(half);
    else if (PASSINDEX == 2) { return IMG_THIS_PIXEL(quarter); }
    else if ((PASSINDEX == 4))
      for (int i = 0; i < 2; i++) return IMG_THIS_PIXEL(fine);
  } else return IMG_THIS_PIXEL(whole);
  if (PASSINDEX > 4 || quality > 2.0) return IMG_THIS_PIXEL(table);
  return vec4(float(rows));
}
void main() {
  gl_FragColor = shown();
#if 1
  if (PASSINDEX == 5) {
    gl_FragColor = mix(gl_FragColor, IMG_THIS_PIXEL(trail), 0.9);
  }
#endif
}
