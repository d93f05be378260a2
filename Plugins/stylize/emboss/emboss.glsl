/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows a picture as a relief that is lit from one side.",
  "CREDIT": "J. Schlag, Fast Embossing Effects on Raster Image Data, Graphics Gems IV, 1994: the idea of luma as height.",
  "CATEGORIES": ["stylize"],
  "REACH": "distance + 1.0",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 135, "UNIT": "deg", "HELP": "Where the light comes from, counterclockwise from the right." },
    { "NAME": "distance", "TYPE": "float", "LABEL": "Distance", "MIN": 0.5, "MAX": 100, "DEFAULT": 1, "UNIT": "px", "HELP": "How wide slopes are." },
    { "NAME": "height", "TYPE": "float", "LABEL": "Height", "MIN": -32, "MAX": 32, "DEFAULT": 2, "IDENTITY": 0, "HELP": "How high the relief is; below 0 dark is high." },
    { "NAME": "color", "TYPE": "float", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": 0, "IDENTITY": 1, "HELP": "From gray metal, at 0, to the picture's own colors, at 1." }
  ]
}*/

/// How high the relief is at a position.
float heightAt(vec2 position) { return dot(IMG_PIXEL(inputImage, position).rgb, vec3(0.2126, 0.7152, 0.0722)); }

vec4 imageKernel(vec2 position) {
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  vec2 light = distance * vec2(cos(radians(angle)), sin(radians(angle)));
  float slope = heightAt(position - light) - heightAt(position + light);
  vec3 ground = mix(vec3(0.5 * picture.a), picture.rgb, color);
  return vec4(clamp(ground + height * slope * picture.a, 0.0, picture.a), picture.a);
}
