/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "mix", "TYPE": "curve" },
    { "NAME": "tone", "TYPE": "curve", "DEFAULT": [[0, 0], [0, 1]] },
    { "NAME": "look", "TYPE": "curve", "DEFAULT": [0, 1] },
    { "NAME": "short", "TYPE": "matrix", "ROWS": 2, "COLUMNS": 2, "DEFAULT": [[1, 0]] },
    { "NAME": "large", "TYPE": "matrix", "ROWS": 16, "COLUMNS": [3, 1], "DEFAULT": [[1, 0]] },
    { "NAME": "plain", "TYPE": "matrix", "ROWS": 2, "COLUMNS": 2 },
    { "NAME": "ragged", "TYPE": "matrix", "ROWS": 2, "COLUMNS": 2, "DEFAULT": [[1, 0], [1]], "MIN": 0 },
    { "NAME": "steep", "TYPE": "curve", "DEFAULT": [[0, 0], [1e-45, 1], [1, 1]] }
  ]
}*/
vec4 colorKernel(vec4 color) { return color; }
