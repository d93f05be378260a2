/*{
  "ETALON": 1, "DESCRIPTION": "Four invocations store one pixel.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 2, 1
// other: 0.28, 0.3
void work(ivec2 position) {
  IMG_STORE(outputImage, position / 2, vec4(float(position.x) / 16.0, 0.5, 0.25, 1.0));  // here
}
