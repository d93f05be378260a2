/*{
  "ETALON": 1,
  "DESCRIPTION": "Smooths a picture and keeps its edges, like a painting.",
  "CREDIT": "M. Kuwahara and others, Processing of RI-Angiocardiographic Images, 1976.",
  "CATEGORIES": ["stylize"],
  "REACH": "radius",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 0, "MAX": 20, "DEFAULT": 4, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the four squares go that a pixel is the corner of." }
  ]
}*/

vec4 imageKernel(vec2 position) {
  ivec2 place = ivec2(position);
  float count = float((radius + 1) * (radius + 1));
  vec4 result = vec4(0.0);
  float least = 1e30;
  // Of the squares to the four sides, the one with the least variance of luma gives its mean: it is the one without an edge.
  for (int side = 0; side < 4; side++) {
    ivec2 toward = ivec2(2 * (side & 1) - 1, (side & 2) - 1);
    vec4 sum = vec4(0.0);
    float lumas = 0.0;
    float squares = 0.0;
    for (int y = 0; y <= radius; y++) {
      for (int x = 0; x <= radius; x++) {
        vec4 color = IMG_LOAD(inputImage, place + toward * ivec2(x, y));
        float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
        sum += color;
        lumas += luma;
        squares += luma * luma;
      }
    }
    float variance = squares / count - lumas * lumas / (count * count);
    if (variance < least) {
      least = variance;
      result = sum / count;
    }
  }
  return result;
}
