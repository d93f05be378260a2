/*{
  "ETALON": 1, "DESCRIPTION": "Who comes first has the smaller number.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
shared uint count;
void work(ivec2 position) {
  if (LOCAL_INDEX == 0) count = 0u;
  barrier();
  uint before = atomicAdd(count, 1u);
  IMG_STORE(outputImage, position, vec4(float(before) / 192.0, 0.5, 0.25, 1.0));
}
