// A field of bits beyond the word.
// pixel: 9, 3
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  uint a = bitfieldExtract(0x12345678u, int(fragCoord.x) * 3, 8);  // here
  fragColor = vec4(float(a) / 255.0, 0.5, 0.25, 1.0);
}
