// A derivative where a part of a quad goes.
// pixel: 4, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float a = 0.25;
  if (fragCoord.x < 5.0) a = 0.25 + dFdx(fragCoord.x * fragCoord.y * 0.01);  // here
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
