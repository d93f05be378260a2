/*{
  "ETALON": 1, "DESCRIPTION": "An index beyond the end of a buffer.",
  "BUFFERS": [{ "NAME": "table", "TYPE": "float", "COUNT": 4 }],
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
void work(ivec2 position) {
  float a = table[position.x];  // here
  IMG_STORE(outputImage, position, vec4(a, 0.5, 0.25, 1.0));
}
