/*{
  "ETALON": 1,
  "INPUTS": [ { "NAME": "amount", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0 }, { "NAME": "side", "TYPE": "float", "DEFAULT": 1 } ],
  "PASSES": [ { "TARGET": "sum", "KERNEL": "add", "PERSISTENT": true, "FLOAT": true, "WIDTH": "$side", "HEIGHT": 1 }, { "KERNEL": "show" } ]
}*/

// Every frame adds its amount to what the frames before it left.
vec4 add(vec2 position) {
  return IMG_LOAD(sum, ivec2(0, 0)) + vec4(amount);
}

vec4 show(vec2 position) {
  return vec4(IMG_LOAD(sum, ivec2(0, 0)).xyz / 255.0, 1.0);
}
