/*{
  "ETALON": 1,
  "INPUTS": [
    { "NAME": "mix", "TYPE": "text", "DEFAULT": "" },
    { "NAME": "open", "TYPE": "text" },
    { "NAME": "long", "TYPE": "text", "LENGTH": 4, "DEFAULT": "longer" },
    { "NAME": "huge", "TYPE": "text", "LENGTH": 2000, "DEFAULT": "" },
    { "NAME": "bell", "TYPE": "text", "DEFAULT": "a\u0007" },
    { "NAME": "letters", "TYPE": "text", "CHARACTERS": ["A-Z"], "DEFAULT": "A" },
    { "NAME": "digits", "TYPE": "text", "CHARACTERS": ["U+0030-U+0039"], "DEFAULT": "1a" },
    { "NAME": "number", "TYPE": "string", "DEFAULT": 1 }
  ]
}*/
vec4 colorKernel() { return vec4(0.0); }
