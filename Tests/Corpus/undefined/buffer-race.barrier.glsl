/*{
  "ETALON": 1, "DESCRIPTION": "A barrier that orders shared memory alone.",
  "BUFFERS": [{ "NAME": "sums", "TYPE": "float", "COUNT": 192 }],
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
void work(ivec2 position) {
  sums[LOCAL_INDEX] = float(position.x) / 32.0;
  barrier();
  float a = sums[int(LOCAL_INDEX) ^ 1];
  IMG_STORE(outputImage, position, vec4(a, 0.5, 0.25, 1.0));
}
