/*{
  "ETALON": 1, "DESCRIPTION": "A barrier in a branch.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
void work(ivec2 position) {
  if (LOCAL_INDEX < 150) {
    barrier();  // here
  }
  IMG_STORE(outputImage, position, vec4(float(position.x) / 16.0, 0.5, 0.25, 1.0));
}
