/*{
  "ETALON": 1, "DESCRIPTION": "Who comes last leaves its number.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
// other: 0.125, 0.75
shared uint last;
void work(ivec2 position) {
  if (LOCAL_INDEX == 0) last = 0u;
  barrier();
  atomicExchange(last, uint(position.x));
  barrier();
  IMG_STORE(outputImage, position, vec4(float(last) / 16.0, 0.5, 0.25, 1.0));
}
