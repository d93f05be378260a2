/*{
  "ETALON": 1, "DESCRIPTION": "A neighbor is read with no barrier between.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
shared uint tile[192];
void work(ivec2 position) {
  tile[LOCAL_INDEX] = uint(position.x);
  uint other = tile[(LOCAL_INDEX + 1) % 192];  // here
  IMG_STORE(outputImage, position, vec4(float(other) / 16.0, 0.5, 0.25, 1.0));
}
