/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "low", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.25 },
    { "NAME": "high", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.75 }
  ],
  "CONSTRAINTS": ["low < high", "high - low <= 0.8"]
}*/
vec4 colorKernel() { return vec4(low, high, 0.0, 1.0); }
