// A large number that is added and subtracted.
// pixel: 9, 3
// other: 0.59375
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  float large = 1e6 + floor(fragCoord.y) - 3.0;
  float a = (fragCoord.x / 16.0 + large) - large;
  fragColor = vec4(a, 0.5, 0.25, 1.0);
}
