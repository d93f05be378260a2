/*{
  "ETALON": 1, "DESCRIPTION": "A store beyond the edges.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 2, 3
void work(ivec2 position) {
  IMG_STORE(outputImage, position, vec4(0.5, 0.5, 0.25, 1.0));
  IMG_STORE(outputImage, position + 4096, vec4(0.75));
}
