/*{
  "ETALON": 1, "DESCRIPTION": "Sums and the largest of one number.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
shared uint number;
void work(ivec2 position) {
  if (LOCAL_INDEX == 0) number = 0u;
  barrier();
  atomicAdd(number, 1u);
  atomicMax(number, 100u);
  barrier();
  IMG_STORE(outputImage, position, vec4(float(number) / 512.0, 0.5, 0.25, 1.0));
}
