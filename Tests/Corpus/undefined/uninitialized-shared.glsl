/*{
  "ETALON": 1, "DESCRIPTION": "Shared memory that nothing was written to.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 2, 3
shared uint tile[192];
void work(ivec2 position) {
  uint old = tile[LOCAL_INDEX];  // here
  IMG_STORE(outputImage, position, vec4(float(old) + 0.5, 0.5, 0.25, 1.0));
}
