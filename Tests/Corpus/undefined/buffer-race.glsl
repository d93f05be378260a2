/*{
  "ETALON": 1, "DESCRIPTION": "A word of a buffer that others write.",
  "BUFFERS": [{ "NAME": "sums", "TYPE": "float", "COUNT": 16 }],
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
void work(ivec2 position) {
  sums[position.x] = float(position.x) / 32.0 + float(position.y) * 0.01;
  float a = sums[position.x ^ 1];
  IMG_STORE(outputImage, position, vec4(a, 0.5, 0.25, 1.0));
}
