/*{
  "ETALON": 1, "DESCRIPTION": "Each pixel is stored by two invocations.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 2, 1
// other: 0.125, 0.1875
void work(ivec2 position) {
  for (int i = 0; i < 2; i++) {
    IMG_STORE(outputImage, ivec2(position.x ^ i, position.y), vec4(float(position.x) / 16.0, 0.5, 0.25, 1.0));  // here
  }
}
