/*{
  "ETALON": 1, "DESCRIPTION": "Workgroups of one invocation: who comes first has the smaller number.",
  "BUFFERS": [{ "NAME": "count", "TYPE": "uint", "COUNT": 1 }],
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [1, 1] }]
}*/
// pixel: 9, 3
void work(ivec2 position) {
  uint before = atomicAdd(count[0], 1u);
  IMG_STORE(outputImage, position, vec4(float(before) / 192.0, 0.5, 0.25, 1.0));
}
