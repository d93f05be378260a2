/*
{
  "CATEGORIES": ["Test"],
  "DESCRIPTION": null,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "DEFAULT": null },
    { "NAME": "noRange", "TYPE": "float", "DEFAULT": 0.5 },
    { "NAME": "noDefault", "TYPE": "float", "MIN": 0.25, "MAX": 1.0 },
    { "NAME": "outside", "TYPE": "float", "MIN": 0.0, "MAX": 1.0, "DEFAULT": 2.0 },
    { "NAME": "backwards", "TYPE": "float", "MIN": 1.0, "MAX": 0.0, "DEFAULT": 0.5 },
    { "NAME": "quoted", "TYPE": "float", "MIN": "0.0", "MAX": 1.0, "DEFAULT": 0.5 },
    { "NAME": "opaque", "TYPE": "color", "DEFAULT": [1, 1, 1] },
    { "NAME": "whole", "TYPE": "int", "MIN": 0, "MAX": 9, "DEFAULT": 2.5 },
    { "NAME": "labels", "TYPE": "long", "VALUES": [0, 1, 2], "LABELS": ["zero", "one"], "DEFAULT": 3 },
    { "NAME": "labelsOnly", "TYPE": "long", "LABELS": ["zero", "one"] },
    { "NAME": "number", "TYPE": "bool", "DEFAULT": 1.0 },
    { "NAME": "word", "TYPE": "bool", "DEFAULT": "TRUE" },
    { "NAME": "bounds", "TYPE": "color", "DEFAULT": [1, 1, 1, 1], "MIN": 0.0, "MAX": 1.0 },
    { "NAME": "point", "TYPE": "point2d", "Default": [0.5, 0.5] },
    { "NAME": "pixels", "TYPE": "point2D", "DEFAULT": [0.5, 0.5] },
    { "NAME": "unused", "TYPE": "event" }
  ],
  "PASSES": [
    { "TARGET": "first", "persistent": true, "FLOAT": "true" },
    { "WIDTH": "$WIDTH" },
    { "TARGET": "first", "WIDTH": "16" },
    { "HEIGHT": 64 }
  ],
  "AUTHOR": "nobody"
}
*/
uniform sampler2D inputImage;
uniform float TIME;
uniform vec3 extra;
varying vec2 isf_FragNormCoord;
#define EPSILON.001
void main() {
  float precision = word ? EPSILON : bounds.r;
  float sum = precision + noRange + noDefault + outside + backwards + quoted + opaque.a + float(whole + labels + labelsOnly) + extra.x + TIME + pixels.x;
  gl_FragColor = texture2D(inputImage, point) * sum + texture2D(first, isf_FragNormCoord) * (number ? 1.0 : 0.0);
}
