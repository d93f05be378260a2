/*{
  "ETALON": 1,
  "DESCRIPTION": "Smooths a picture and keeps its edges, like a painting.",
  "CREDIT": "M. Kuwahara and others, Processing of RI-Angiocardiographic Images, 1976; G. Papari and others, Artistic Edge and Corner Enhancing Smoothing, 2007.",
  "CATEGORIES": ["stylize"],
  "REACH": "radius",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 0, "MAX": 20, "DEFAULT": 4, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the four squares go that a pixel is the corner of." }
  ]
}*/

float lumaAt(ivec2 place) { return dot(IMG_LOAD(inputImage, place).rgb, vec3(0.2126, 0.7152, 0.0722)); }

vec4 imageKernel(vec2 position) {
  ivec2 place = ivec2(position);
  float here = lumaAt(place);
  float count = float((radius + 1) * (radius + 1));
  vec4 means[4];
  vec4 variances;
  for (int side = 0; side < 4; side++) {
    ivec2 toward = ivec2(2 * (side & 1) - 1, (side & 2) - 1);
    vec4 sum = vec4(0.0);
    float lumas = 0.0;
    float squares = 0.0;
    for (int y = 0; y <= radius; y++) {
      for (int x = 0; x <= radius; x++) {
        ivec2 other = place + toward * ivec2(x, y);
        // Counted from the pixel's own luma, so that little is lost when the squares are subtracted.
        float luma = lumaAt(other) - here;
        sum += IMG_LOAD(inputImage, other);
        lumas += luma;
        squares += luma * luma;
      }
    }
    means[side] = sum / count;
    variances[side] = max(squares / count - lumas * lumas / (count * count), 0.0) + 1e-5;
  }
  // The square without an edge varies least, and counts by far the most; even slopes, where all four vary alike, stay even.
  vec4 share = min(min(variances.x, variances.y), min(variances.z, variances.w)) / variances;
  share = share * share * share * share;
  vec4 result = share.x * means[0] + share.y * means[1] + share.z * means[2] + share.w * means[3];
  return result / (share.x + share.y + share.z + share.w);
}
