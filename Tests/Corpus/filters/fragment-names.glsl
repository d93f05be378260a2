#define KILL discard
struct Disc { vec2 center; float radius; };

Disc disc(float radius) {
  if (radius < 0.0) discard;
  return Disc(vec2(0.5), radius);
}

float dark() {
  if (gl_FragCoord.x < 2.0) KILL;
  return gl_FragCoord.y / iResolution.y;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  if (length(fragCoord / iResolution.xy - disc(0.25).center) > disc(0.25).radius) discard; else fragColor.r = 1.0;
  fragColor.gba = vec3(dark());
}
