/*{
  "ETALON": 1, "DESCRIPTION": "A counter that is read while others count.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
shared uint count;
void work(ivec2 position) {
  if (LOCAL_INDEX == 0) count = 0u;
  barrier();
  atomicAdd(count, 1u);
  uint now = count;  // here
  IMG_STORE(outputImage, position, vec4(float(now) / 192.0, 0.5, 0.25, 1.0));
}
