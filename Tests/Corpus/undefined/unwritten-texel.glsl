/*{
  "ETALON": 1, "DESCRIPTION": "The left half is not stored.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 2, 3
void work(ivec2 position) {
  if (position.x > 8) IMG_STORE(outputImage, position, vec4(0.5, 0.5, 0.25, 1.0));  // here
}
