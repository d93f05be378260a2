/*{
  "ETALON": 1,
  "DESCRIPTION": "Looks around in a panorama that goes all the way around.",
  "CREDIT": "J. P. Snyder, Map Projections: A Working Manual, 1987: plate carrée and the gnomonic projection.",
  "CATEGORIES": ["distortion"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "repeat" },
    { "NAME": "yaw", "TYPE": "angle", "LABEL": "Yaw", "MIN": -3600, "MAX": 3600, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "Where the view goes: 0 is the middle of the panorama, 90 is to the right of it." },
    { "NAME": "pitch", "TYPE": "angle", "LABEL": "Pitch", "MIN": -90, "MAX": 90, "DEFAULT": 0, "UNIT": "deg", "HELP": "How far up the view goes." },
    { "NAME": "roll", "TYPE": "angle", "LABEL": "Roll", "MIN": -360, "MAX": 360, "DEFAULT": 0, "UNIT": "deg", "HELP": "How far the camera is turned clockwise." },
    { "NAME": "fieldOfView", "TYPE": "angle", "LABEL": "Field of view", "MIN": 1, "MAX": 170, "DEFAULT": 90, "UNIT": "deg",
      "HELP": "How wide the view is, from left to right." }
  ]
}*/

const float turn = 6.28318530718;

/// A vector that is turned by an angle from its first to its second number.
vec2 turned(vec2 v, float degrees) {
  float c = cos(radians(degrees));
  float s = sin(radians(degrees));
  return vec2(c * v.x - s * v.y, s * v.x + c * v.y);
}

vec2 warpKernel(vec2 position) {
  // A ray through the pixel: to the right, up, and ahead.
  vec3 ray = vec3((2.0 * position - RENDERSIZE) / RENDERSIZE.x * tan(radians(0.5 * fieldOfView)), 1.0);
  ray.xy = turned(ray.xy, -roll);
  ray.zy = turned(ray.zy, pitch);
  ray.zx = turned(ray.zx, yaw);
  float longitude = ray.x == 0.0 && ray.z == 0.0 ? 0.0 : atan(ray.x, ray.z);
  float latitude = asin(clamp(ray.y / length(ray), -1.0, 1.0));
  // Around the panorama goes on where it began; up and down it ends.
  float row = clamp((0.5 + 2.0 * latitude / turn) * RENDERSIZE.y, 0.5, RENDERSIZE.y - 0.5);
  return vec2((0.5 + longitude / turn) * RENDERSIZE.x, row);
}
