/*{
  "ETALON": 1,
  "DESCRIPTION": "The first picture is turned over like a page, and the second one lies below it.",
  "CREDIT": "The page around a cylinder: L. Hong and others, Turning Pages of 3D Electronic Books, 2006.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 160, "UNIT": "deg", "HELP": "Where the page is turned to, counterclockwise from the right." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0.01, "MAX": 1, "DEFAULT": 0.12, "UNIT": "normalized", "HELP": "How wide the bend is, as a fraction of the picture's shorter side." },
    { "NAME": "backColor", "TYPE": "color", "LABEL": "Back", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 0.75], "HELP": "The color of the back of the page, through which the picture shows as far as it is transparent." },
    { "NAME": "shadow", "TYPE": "float", "LABEL": "Shadow", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "HELP": "How dark the shadow of the page is." }
  ]
}*/

/// How much of the page is at a place of it; its edges are one pixel wide.
float pageAt(vec2 place) {
  vec2 inside = 0.5 * RENDERSIZE - abs(place - 0.5 * RENDERSIZE) + 0.5;
  return clamp(min(inside.x, inside.y), 0.0, 1.0);
}

/// How near a place is to the page, from 0 to 1 on it.
float nearPage(vec2 place, float reach) {
  vec2 outside = max(abs(place - 0.5 * RENDERSIZE) - 0.5 * RENDERSIZE, 0.0);
  return exp(-min(dot(outside, outside) / (reach * reach), 50.0));
}

vec4 imageKernel(vec2 position) {
  vec4 start = IMG_NORM_PIXEL(startImage, position / RENDERSIZE);
  vec4 end = IMG_NORM_PIXEL(endImage, position / RENDERSIZE);
  if (progress == 0.0) return start;
  // Along the way back from where the page is turned to: the bend begins beyond the last corner, and ends before the first one.
  vec2 away = -vec2(cos(radians(angle)), sin(radians(angle)));
  float bend = radius * min(RENDERSIZE.x, RENDERSIZE.y);
  float halfWay = 0.5 * dot(abs(away), RENDERSIZE);
  float place = dot(position - 0.5 * RENDERSIZE, away);
  float line = mix(halfWay, -halfWay - bend - 1.0, progress);
  float ahead = place - line;
  // Page, back and ground from above: behind the line the page lies flat, and what was turned over lies above it.
  float turned = ahead >= 0.0 ? asin(min(ahead / bend, 1.0)) : 0.0;
  float on = clamp(bend - ahead + 0.5, 0.0, 1.0);
  vec2 front = position + away * (bend * turned - max(ahead, 0.0));
  vec2 back = position + away * (ahead >= 0.0 ? bend * (3.14159265 - turned) - ahead : 3.14159265 * bend - 2.0 * ahead);
  float fade = min(1.0, 8.0 * progress * (1.0 - progress));
  float dark = shadow * fade * nearPage(back, 0.6 * bend);
  // The ground is darker close to the page that stands on it.
  vec4 result = end * vec4(vec3(1.0 - shadow * fade * exp(-max(ahead - bend, 0.0) / (0.5 * bend)) * nearPage(front, bend)), 1.0);
  vec4 page = IMG_NORM_PIXEL(startImage, front / RENDERSIZE);
  page.rgb *= (1.0 - dark) * mix(1.0, cos(turned), 0.4);
  result = mix(result, page + result * (1.0 - page.a), on * pageAt(front));
  vec4 behind = IMG_NORM_PIXEL(startImage, back / RENDERSIZE);
  behind.rgb = mix(behind.rgb, backColor.rgb * behind.a, backColor.a) * (ahead >= 0.0 ? 0.75 + 0.25 * cos(turned) : 1.0);
  return mix(result, behind + result * (1.0 - behind.a), on * pageAt(back));
}
