/*{
  "ETALON": 1, "DESCRIPTION": "A barrier in a branch.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
shared uint tile[192];
void work(ivec2 position) {
  tile[LOCAL_INDEX] = uint(LOCAL_INDEX);
  if (LOCAL_INDEX < 150) {
    barrier();  // here
  }
  uint other = tile[(LOCAL_INDEX + 1) % 192];
  IMG_STORE(outputImage, position, vec4(float(other) / 192.0, 0.5, 0.25, 1.0));
}
